import type { DirectoryContext } from '../../context.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { requireAppId, requireParameter, type ClientRequest } from '../client/client-request.ts'
import { invalidClient, OauthError } from '../oauth-error.ts'
import { revokeTokenFamily } from '../token/revoke-token-family.ts'
import { selectTokenToRevoke } from './queries.ts'

/**
 * Ends the tokens of an app that came from the same code as the given one, which may be an access token or a refresh token,
 * even a used one (specification "POST {base_url}/oauth/revoke"; RFC 7009). An unknown token, and one of a service
 * connection, is not an error.
 *
 * @throws 401 `invalid_client` if the client is not a registered app; 400 `unauthorized_client` for another app's token
 */
export async function revokeToken(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  request: ClientRequest,
): Promise<void> {
  const clientId = requireAppId(request)
  const tokenHash = hashSecret(requireParameter(request, 'token'))
  const found = (await selectTokenToRevoke.first(context.pool, { clientId, tokenHash }))!
  if (!found.registered) throw invalidClient(false)
  if (found.token_family_id === null) return
  if (found.client_id !== clientId) {
    throw new OauthError('unauthorized_client', 'The token was issued to another app.')
  }
  await revokeTokenFamily(context, found.token_family_id, found.connection_id!)
}
