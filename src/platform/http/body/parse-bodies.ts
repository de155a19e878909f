import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../requests/client-network.ts'
import type { App } from '../contract.ts'
import { ApiError } from '../errors/errors.ts'
import type { BodyBudget, ReservedBody } from './body-budget.ts'
import { readBody } from './read-body.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The room for all bodies that this process holds. */
    bodyBudget: BodyBudget
  }
  interface FastifyRequest {
    /** The body that was read for a content type parser; released once the request is answered. */
    heldBody: ReservedBody | undefined
  }
}

/** JSON bodies that are checked against a contract; deliveries have their own bound. A larger one is 413. */
export const jsonBodyBytesMax = 1_048_576

function tooLarge(): ApiError {
  return new ApiError('too_large', 'The body is larger than this address takes.')
}

/**
 * Reads the body of any request but a delivery, in the room of the client's network. Throws 413 above `bytesMax`, and
 * what `readBody` throws.
 */
export function readRequestBody(
  app: Pick<App, 'bodyBudget'>,
  request: FastifyRequest,
  bytesMax: number,
): Promise<Buffer> {
  request.heldBody = app.bodyBudget.openForNetwork(clientNetwork(request.ip))
  return readBody(request.raw, request.heldBody, { bytesMax, tooLarge })
}

/**
 * Parses JSON bodies, and gives the room of any body back once its request is answered. The framework's own parsers
 * would hold bodies without counting them. Call it on the root instance, before the areas register their routes.
 */
export function parseBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.decorateRequest('heldBody')
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser('application/json', (request, _payload, done) => {
    readRequestBody(app, request, jsonBodyBytesMax).then(
      (body) => parseJson(request, body.toString(), done),
      done,
    )
  })
  app.addHook('onResponse', (request, _reply, done) => {
    request.heldBody?.release()
    done()
  })
}
