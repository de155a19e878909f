import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from './contract.ts'
import { corsHeaders, isOpenToAnyOrigin } from './cors.ts'
import type { WriteErrorBody } from './errors/error-body.ts'
import { faultAnswer } from './errors/to-api-error.ts'
import { answerRaw, currentAnswer, lingerMs } from './raw-answer.ts'
import { newRequestId } from './requests/request-id.ts'
import { toPath } from './route-table.ts'

/** Answers the request under way on a connection with 500, in the shape of its address; undefined where it cannot. */
function answerFault(app: App, socket: Socket, writeErrorBody: WriteErrorBody): string | undefined {
  const current = currentAnswer(socket)
  if (current === undefined || current.headersSent || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const { method = '', url = '/' } = current.req
  // What is still written to that answer goes nowhere.
  current.detachSocket(socket)
  const error = faultAnswer()
  const open = app.routes
    .at(toPath(url) ?? '')
    .some((route) => isOpenToAnyOrigin(route.method, route.contract))
  const requestId = newRequestId()
  const { body, link } = writeErrorBody(url, error, error, requestId)
  answerRaw(socket, {
    status: error.status,
    requestId,
    body,
    headers: { Link: link, ...(open ? corsHeaders : {}) },
    headOnly: method === 'HEAD',
  })
  return requestId
}

/**
 * For a process that must end now, after an unforeseen fault: takes no more connections,
 * answers every call under way with 500 `internal` [all.500], and settles when those answers are out, a second
 * later at the latest, with their request ids. Call it at most once.
 */
export async function abandonRequests(app: App, writeErrorBody: WriteErrorBody): Promise<string[]> {
  app.server.close()
  const sockets = app.connections.sockets()
  const requestIds: string[] = []
  for (const socket of sockets) {
    const requestId = answerFault(app, socket, writeErrorBody)
    if (requestId !== undefined) requestIds.push(requestId)
  }
  const closed = sockets.filter((socket) => !socket.closed).map((socket) => once(socket, 'close'))
  await Promise.race([Promise.allSettled(closed), sleep(lingerMs)])
  return requestIds
}
