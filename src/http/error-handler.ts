import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../service/context.ts'
import { toOauthBody } from '../oauth/oauth-error.ts'
import type { AnswerLog } from '../telemetry/answer-log.ts'
import { answerFor } from './to-api-error.ts'
import { isOauthTarget } from './oauth-target.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that it was answered with; undefined for a success. */
    errorCode: string | undefined
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of an address that people open: sends a page about an error of that status, where programs get a body. */
    errorPage?: (status: number, request: FastifyRequest, reply: FastifyReply) => void
  }
}

/**
 * The one place where an error becomes an answer: everything thrown by routes and hooks, and everything that the
 * framework raises itself. A fault is logged here with the request id that the answer carries.
 */
export function createErrorHandler(context: Pick<Context, 'telemetry'>, answers: AnswerLog) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    // The caller went away while its body was read: nobody is left to answer, and nothing is wrong.
    if (request.raw.destroyed && !request.raw.complete) {
      reply.code(400).send()
      return
    }
    const { error, kind } = answerFor(thrown)
    if (kind !== 'refusal') {
      const line = { requestId: request.id, route: request.routeOptions.url, err: thrown }
      answers.write(kind, line, kind === 'fault' ? 'a request failed' : 'a request could not be taken')
    }
    const body = isOauthTarget(request.raw.url) ? toOauthBody(thrown, error) : error.toBody()
    const code = 'code' in body ? body.code : body.error
    request.errorCode = code
    context.telemetry.refusals.inc({ code })
    reply.code(error.status).headers(error.headers)
    const { errorPage } = request.routeOptions.config
    if (errorPage === undefined) reply.type('application/json; charset=utf-8').send(body)
    else errorPage(error.status, request, reply)
  }
}
