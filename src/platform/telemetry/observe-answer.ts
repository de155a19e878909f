import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { AnswerLog } from './answer-log.ts'
import type { Telemetry } from './telemetry.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A success lasts as long as its caller wants: how long says nothing. */
    staysOpen?: boolean
  }
  interface FastifyRequest {
    /** The code of the error that it was answered with; undefined for a success. */
    errorCode: string | undefined
    /** The field concerned. */
    errorField: string | undefined
  }
}

/** An answer that took this long or longer is logged as slow. Milliseconds. */
export const slowMs = 1_000

/** The pattern of the route, never the target: a query or an id could be personal. */
function getRoute(request: FastifyRequest): string {
  return request.routeOptions.config?.url ?? '(none)'
}

export interface AnswerObserverOptions {
  log: Logger
  telemetry: Pick<Telemetry, 'httpSeconds'>
  answers: AnswerLog
  /** Whether the caller has shown no valid credential, and which member it is where one is signed in. */
  getCaller: (request: FastifyRequest) => { isStranger: boolean; memberId?: string | undefined }
}

/**
 * Counts each answer, and logs the notable ones: failures, slow answers, and refusals of callers with a valid
 * credential or session; of each kind a bounded number a minute. Refusals of strangers are counted by code and logged once a minute
 * (`answer-log.ts`). `debug` logs every answer. A line holds the method, the route's pattern, the status, the duration,
 * the request id, and the id of the member who is signed in.
 */
export function createAnswerObserver(
  options: AnswerObserverOptions,
): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  const { log, telemetry, answers } = options
  return (request, reply, done) => {
    const durationMs = reply.elapsedTime
    const status = reply.statusCode
    const route = getRoute(request)
    const isTimed = request.routeOptions.config?.staysOpen !== true || status >= 400
    if (isTimed) telemetry.httpSeconds.observe({ route, method: request.method, status }, durationMs / 1_000)
    const caller = options.getCaller(request)
    const isStranger = status >= 400 && status < 500 && caller.isStranger
    if (isStranger) answers.count(request.errorCode ?? String(status))
    const isNotable = !isStranger && (status >= 400 || (isTimed && durationMs >= slowMs))
    if (isNotable || log.isLevelEnabled('debug')) {
      const line = {
        method: request.method,
        route,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        requestId: request.id,
        memberId: caller.memberId,
      }
      const kind = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'slow'
      if (isNotable) answers.write(kind, line, 'answered')
      else log.debug(line, 'answered')
    }
    done()
  }
}
