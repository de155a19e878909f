import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/** From here on a request is slow enough to be looked at. */
const slowMs = 1_000

/** The pattern of the route, never the target: a query or an id could be anybody's. */
const routeOf = (request: FastifyRequest): string => request.routeOptions.config?.url ?? '(none)'

/**
 * One line and one figure for each answer. At level `info` only what was refused, failed or slow is logged; `debug`
 * logs everything. The line holds the method, the route's pattern, the status, the duration and the request id.
 */
export const createNoteAnswer = (
  context: Pick<Context, 'log' | 'figures'>,
): ((request: FastifyRequest, reply: FastifyReply, done: () => void) => void) => {
  const { log, figures } = context
  return (request, reply, done) => {
    const durationMs = reply.elapsedTime
    const status = reply.statusCode
    const route = routeOf(request)
    figures.httpSeconds.observe(route, request.method, status, durationMs / 1_000)
    const notable = status >= 400 || durationMs >= slowMs
    if (notable || log.isLevelEnabled('debug')) {
      const line = {
        method: request.method,
        route,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        requestId: request.id,
      }
      if (notable) log.info(line, 'answered')
      else log.debug(line, 'answered')
    }
    done()
  }
}
