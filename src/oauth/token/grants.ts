import type { Context } from '../../service/context.ts'
import { authorizationCodeGrant } from './authorization-code-grant.ts'
import { clientCredentialsGrant } from './client-credentials-grant.ts'
import { requiredParameter } from '../client/client-request.ts'
import { unsupportedGrantType } from '../errors.ts'
import { createRefreshTokenGrant } from './refresh-token-grant.ts'
import type { Grant } from './token-answer.ts'

/**
 * The token endpoint: every `grant_type` that it takes.
 *
 * The grant throws `invalid_request` where no type is named, and `unsupported_grant_type` for another one.
 */
export function createGrants(context: Pick<Context, 'pool' | 'clock' | 'config' | 'telemetry'>): Grant {
  const grants: ReadonlyMap<string, Grant> = new Map([
    ['authorization_code', (request) => authorizationCodeGrant(context, request)],
    ['refresh_token', createRefreshTokenGrant(context)],
    ['client_credentials', (request) => clientCredentialsGrant(context, request)],
  ] satisfies [string, Grant][])
  return (request) => {
    const grant = grants.get(requiredParameter(request, 'grant_type'))
    if (grant === undefined) throw unsupportedGrantType([...grants.keys()])
    return grant(request)
  }
}
