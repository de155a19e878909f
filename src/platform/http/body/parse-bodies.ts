import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../requests/client-network.ts'
import type { App } from '../contract.ts'
import { ApiError } from '../errors/errors.ts'
import type { BodyBudget, ReservedBody } from './body-budget.ts'
import { readBody } from './read-body.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The memory budget for all bodies of this process. */
    bodyBudget: BodyBudget
  }
  interface FastifyRequest {
    /** The body that was read for a content type parser; released once the request is answered. */
    reservedBody: ReservedBody | undefined
  }
}

/** JSON bodies that are checked against a contract; deliveries have their own bound. A larger one is 413. */
const jsonBodyBytesMax = 1_048_576

function tooLarge(): ApiError {
  return new ApiError('too_large', 'The body is larger than this address accepts.')
}

/**
 * Reads the body of any request but a delivery, from the share of the client's network. Throws 413 above `bytesMax`, and
 * what `readBody` throws.
 */
export function readRequestBody(
  app: Pick<App, 'bodyBudget'>,
  request: FastifyRequest,
  bytesMax: number,
): Promise<Buffer> {
  request.reservedBody = app.bodyBudget.openForNetwork(clientNetwork(request.ip))
  return readBody(request.raw, request.reservedBody, { bytesMax, tooLarge })
}

/**
 * Parses JSON bodies, and releases any body once its request is answered. The framework's own parsers would not count
 * bodies. Call it on the root instance, before the areas register their routes.
 */
export function parseBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.decorateRequest('reservedBody')
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser('application/json', (request, _payload, done) => {
    readRequestBody(app, request, jsonBodyBytesMax).then(
      (body) => parseJson(request, body.toString(), done),
      done,
    )
  })
  app.addHook('onResponse', (request, _reply, done) => {
    request.reservedBody?.release()
    done()
  })
}
