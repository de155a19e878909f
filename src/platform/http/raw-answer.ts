import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface RawAnswer {
  status: number
  requestId: string
  body: object
  headers?: Record<string, string>
  /** Without its body, as HEAD is answered. */
  headOnly?: boolean
}

/** The answer that is being made on a connection, if any, as Node's own bookkeeping has it. */
export function currentAnswer(socket: Socket): (ServerResponse & { req: IncomingMessage }) | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- Node's default handler reads it too; there is no other way
  return (socket as { _httpMessage?: ServerResponse & { req: IncomingMessage } })._httpMessage ?? undefined
}

/** How long a client that was answered this way may still send before the connection is cut, in milliseconds. */
export const lingerMs = 1_000

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
}

/** Answers on a connection itself, where there is no request that the framework could answer, and ends the connection. */
export function answerRaw(socket: Socket, answer: RawAnswer): void {
  const body = JSON.stringify(answer.body)
  const head = [
    `HTTP/1.1 ${answer.status} ${reasons[answer.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...Object.entries(answer.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${answer.requestId}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${answer.headOnly === true ? '' : body}`)
  // Bytes still in transit are read and discarded: closing on them would reset the connection, and the client would not
  // see the answer.
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
