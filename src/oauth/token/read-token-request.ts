import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../../http/client-network.ts'
import { OauthError } from '../oauth-error.ts'
import { readClientCredentials } from './read-client-credentials.ts'
import { readForm } from './read-form.ts'
import { readResources } from './read-resources.ts'
import type { TokenRequest } from './token-request.ts'

export function notAForm(): OauthError {
  return new OauthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
}

/**
 * Reads a request to the token or the revoke endpoint.
 *
 * @throws `invalid_request` where the body is no form, or gives a parameter twice
 */
export function readTokenRequest(request: FastifyRequest): TokenRequest {
  const { authorization } = request.headers
  if (typeof request.body !== 'string') throw notAForm()
  return {
    form: readForm(request.body),
    resources: readResources(request.body),
    usedAuthorization: authorization !== undefined,
    credentials: authorization === undefined ? undefined : readClientCredentials(authorization),
    network: clientNetwork(request.ip),
  }
}
