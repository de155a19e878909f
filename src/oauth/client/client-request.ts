import type { FastifyRequest } from 'fastify'
import { readRequestBody } from '../../http/body/parse-bodies.ts'
import { clientNetwork } from '../../http/client-network.ts'
import type { App } from '../../http/contract.ts'
import { givenTwice, invalidRequest } from '../errors.ts'
import { findRepeated, readParameters, valueOf, type OauthParameters } from '../parameters.ts'
import { readClientCredentials, type ClientCredentials } from './read-client-credentials.ts'

/** A request to the token or the revoke endpoint, parsed but not yet checked. */
export interface ClientRequest {
  parameters: OauthParameters
  /** An `Authorization` header was sent, even an empty one: a 401 then names the scheme that it should have. */
  usedAuthorization: boolean
  /** What the header holds, where it is a well-formed Basic one. */
  credentials: ClientCredentials | undefined
  /** The client's network (`http/client-network.ts`). */
  network: string
}

/** Form of a token or revoke call: several times the longest that makes sense. A larger one is 413. */
export const formBytesMax = 16_384

function notAForm() {
  return invalidRequest(
    'The body must be application/x-www-form-urlencoded: send the parameters there, not as JSON or in the address.',
  )
}

/** Has the bodies of a scope parsed as forms. Any other body is 400 `invalid_request`. */
export function parseForms(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) =>
    (await readRequestBody(app, request, formBytesMax)).toString(),
  )
  app.addContentTypeParser('*', (_request, _body, done) => done(notAForm()))
}

/** @throws `invalid_request` for a parameter that is given twice */
export function readForm(body: string): OauthParameters {
  const parameters = readParameters(body)
  const repeated = findRepeated(parameters)
  if (repeated !== undefined) throw invalidRequest(givenTwice(repeated))
  return parameters
}

/**
 * Reads a request to the token or the revoke endpoint.
 *
 * @throws `invalid_request` where the body is no form, or gives a parameter twice
 */
export function readClientRequest(request: FastifyRequest): ClientRequest {
  const { authorization } = request.headers
  if (typeof request.body !== 'string') throw notAForm()
  return {
    parameters: readForm(request.body),
    usedAuthorization: authorization !== undefined,
    credentials: authorization === undefined ? undefined : readClientCredentials(authorization),
    network: clientNetwork(request.ip),
  }
}

/** @throws `invalid_request` where the parameter is missing */
export function requiredParameter({ parameters }: Pick<ClientRequest, 'parameters'>, name: string): string {
  const value = valueOf(parameters, name)
  if (value === undefined) throw invalidRequest(`The parameter ${name} is missing.`)
  return value
}
