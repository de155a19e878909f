import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../service/context.ts'
import type { AnswerLog } from './answer-log.ts'

/** An answer that took this long or longer is logged as slow. Milliseconds. */
export const slowMs = 1_000

/** The pattern of the route, never the target: a query or an id could be anybody's. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.config?.url ?? '(none)'
}

/**
 * One figure for each answer, and one line for those to be looked at: what failed, what was slow, and what a caller was
 * refused whose credential is good; of each kind a bounded number a minute. What strangers are refused is counted by its
 * code and told once a minute (`answer-log.ts`). `debug` logs every answer. A line holds the method, the route's pattern, the
 * status, the duration and the request id.
 */
export function createAnswerObserver(
  context: Pick<Context, 'log' | 'telemetry'>,
  answers: AnswerLog,
): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  const { log, telemetry } = context
  return (request, reply, done) => {
    const durationMs = reply.elapsedTime
    const status = reply.statusCode
    const route = routeOf(request)
    telemetry.httpSeconds.observe(route, request.method, status, durationMs / 1_000)
    const isStranger = status >= 400 && status < 500 && request.admission === undefined
    if (isStranger) answers.count(request.errorCode ?? String(status))
    const isNotable = !isStranger && (status >= 400 || durationMs >= slowMs)
    if (isNotable || log.isLevelEnabled('debug')) {
      const line = {
        method: request.method,
        route,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        requestId: request.id,
      }
      const kind = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'slow'
      if (isNotable) answers.write(kind, line, 'answered')
      else log.debug(line, 'answered')
    }
    done()
  }
}
