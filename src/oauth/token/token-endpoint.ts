import type { DirectoryContext } from '../../context.ts'
import { requireParameter } from '../client/client-request.ts'
import { OauthError } from '../oauth-error.ts'
import { authorizationCodeGrant } from './authorization-code-grant.ts'
import { clientCredentialsGrant } from './client-credentials-grant.ts'
import { createRefreshTokenGrant } from './refresh-token-grant.ts'
import type { Grant } from './token-answer.ts'

/** The token endpoint with its grant types. */
export function createTokenEndpoint(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config' | 'telemetry'>,
): Grant {
  const grants = new Map<string, Grant>([
    ['authorization_code', (request) => authorizationCodeGrant(context, request)],
    ['refresh_token', createRefreshTokenGrant(context)],
    ['client_credentials', (request) => clientCredentialsGrant(context, request)],
  ])
  return (request) => {
    const grant = grants.get(requireParameter(request, 'grant_type'))
    if (grant !== undefined) return grant(request)
    throw new OauthError(
      'unsupported_grant_type',
      'The parameter grant_type must be authorization_code, refresh_token or client_credentials.',
    )
  }
}
