import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerLog } from '../../telemetry/answer-log.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import type { WriteErrorBody } from './error-body.ts'
import { answerFor } from './to-api-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of an address that people open: sends a page about an error of that status, where programs get a body. */
    errorPage?: (status: number, request: FastifyRequest, reply: FastifyReply) => void
  }
}

export interface ErrorHandlerOptions {
  /** Counts the answers by their reason. */
  errorAnswers: Telemetry['errorAnswers']
  answers: AnswerLog
  writeErrorBody: WriteErrorBody
  /** Answers with a page where a person opened an unknown address; false where it did not. */
  sendUnknownPage: (request: FastifyRequest, reply: FastifyReply) => boolean
}

export type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void

/**
 * The one place where an error becomes an answer: everything thrown by routes and hooks, and everything that the
 * framework raises itself. A fault is logged here with the request id that the answer carries.
 */
export function createErrorHandler(options: ErrorHandlerOptions): ErrorHandler {
  const { errorAnswers, answers, writeErrorBody, sendUnknownPage } = options
  return (thrown, request, reply) => {
    // The client disconnected while its body was read.
    if (request.raw.destroyed && !request.raw.complete) {
      reply.code(400).send()
      return
    }
    const { error, kind } = answerFor(thrown)
    if (kind !== 'refusal') {
      const line = { requestId: request.id, route: request.routeOptions.url, err: thrown }
      answers.write(kind, line, kind === 'fault' ? 'a request failed' : 'a request could not be taken')
    }
    const { reason, body, link } = writeErrorBody(request.raw.url, thrown, error, request.id)
    request.errorCode = reason
    request.errorField = error.field
    errorAnswers.inc({ code: reason })
    reply.code(error.status).headers(error.headers)
    const { errorPage } = request.routeOptions.config
    if (errorPage !== undefined) errorPage(error.status, request, reply)
    else if (error.status !== 404 || !sendUnknownPage(request, reply))
      reply.header('link', link).type('application/json; charset=utf-8').send(body)
  }
}
