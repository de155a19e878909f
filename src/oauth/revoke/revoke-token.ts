import { hashSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import { requiredParameter, type ClientRequest } from '../client/client-request.ts'
import { publicClientId } from '../client/public-client-id.ts'
import { invalidClient, unauthorizedClient } from '../errors.ts'
import { revokeTokenFamily } from '../token/revoke-token-family.ts'
import { selectTokenToRevoke } from './queries.ts'

/**
 * An app gives up its tokens: all that came from the same code as the given one, which may be an access token or a
 * refresh token, even a used one (specification "POST {base_url}/oauth/revoke"; RFC 7009). An unknown token is given up
 * already, and a service connection's is not an app's: neither is an error.
 *
 * @throws 401 `invalid_client` for a client that is no registered app; 400 `unauthorized_client` for another app's
 *   token
 */
export async function revokeToken(
  context: Pick<Context, 'pool' | 'clock'>,
  request: ClientRequest,
): Promise<void> {
  const clientId = publicClientId(request)
  const tokenHash = hashSecret(requiredParameter(request, 'token'))
  const found = (await selectTokenToRevoke.first(context.pool, { clientId, tokenHash }))!
  if (!found.registered) throw invalidClient(false)
  if (found.token_family_id === null) return
  if (found.client_id !== clientId) {
    throw unauthorizedClient()
  }
  await revokeTokenFamily(context, {
    tokenFamilyId: found.token_family_id,
    connectionId: found.connection_id!,
  })
}
