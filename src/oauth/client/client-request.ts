import type { FastifyRequest } from 'fastify'
import { readRequestBody } from '../../platform/http/body/parse-bodies.ts'
import type { App } from '../../platform/http/contract.ts'
import { clientNetwork } from '../../platform/http/requests/client-network.ts'
import { invalidClient, OauthError } from '../oauth-error.ts'
import { describeRepeated, getValue, readParameters, type OauthParameters } from '../parameters.ts'
import { clientIdPattern } from '../register/app.ts'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** A request to the token or the revoke endpoint, parsed but not yet checked. */
export interface ClientRequest {
  parameters: OauthParameters
  /** An `Authorization` header was sent, even an empty one: a 401 then names the scheme that it should have. */
  usedAuthorization: boolean
  /** What the header holds, if it is a well-formed Basic one. */
  credentials: ClientCredentials | undefined
  network: string
}

/** Form of a token or revoke call: several times the longest that makes sense. A larger one is 413. */
export const formBytesMax = 16_384

function notAForm() {
  return new OauthError(
    'invalid_request',
    'The body must be application/x-www-form-urlencoded: send the parameters there, not as JSON or in the address.',
  )
}

/** Parses the bodies of a scope as forms. Any other body is 400 `invalid_request`. */
export function parseForms(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) =>
    (await readRequestBody(app, request, formBytesMax)).toString(),
  )
  app.addContentTypeParser('*', (_request, _body, done) => done(notAForm()))
}

/** @throws `invalid_request` if a parameter is given twice */
export function readForm(body: string): OauthParameters {
  const parameters = readParameters(body)
  const repeated = describeRepeated(parameters)
  if (repeated !== undefined) throw new OauthError('invalid_request', repeated)
  return parameters
}

const basicPattern = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i

/** Form-decoded; unchanged if it cannot be decoded: many clients do not encode. */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/**
 * Client id and secret of an `Authorization: Basic` header (RFC 6749, 2.3.1; [oauth.basic-auth]). Undefined if the header is
 * of another scheme or has no id and secret.
 */
export function readClientCredentials(authorization: string): ClientCredentials | undefined {
  const encoded = basicPattern.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  return { clientId: formDecode(text.slice(0, colon)), clientSecret: formDecode(text.slice(colon + 1)) }
}

/** @throws `invalid_request` if the body is not a form, or gives a parameter twice */
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

/** @throws `invalid_request` if the parameter is missing */
export function requireParameter({ parameters }: ClientRequest, name: string): string {
  const value = getValue(parameters, name)
  if (value === undefined) throw new OauthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/**
 * The id of the requesting app. Apps are public clients (RFC 6749, 2.1): they name themselves in the form and have no
 * secret, so one that sends a secret is refused with that reason. Whether the app is registered is left to the statement
 * that serves the request.
 *
 * @throws 401 `invalid_client` if a secret was sent, or the id is missing or malformed
 */
export function requireAppId({ parameters, usedAuthorization }: ClientRequest): string {
  if (usedAuthorization || getValue(parameters, 'client_secret') !== undefined) {
    throw invalidClient(
      usedAuthorization,
      'An app has no secret: send client_id in the form, and nothing else.',
    )
  }
  const clientId = getValue(parameters, 'client_id')
  if (clientId === undefined || !clientIdPattern.test(clientId)) {
    throw invalidClient(
      false,
      'The parameter client_id must be the id of a registered app: app_ and 22 letters and digits.',
    )
  }
  return clientId
}
