import { hashSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import { OauthError } from '../oauth-error.ts'
import { readTokenToRevoke } from '../token/app-queries.ts'
import { invalidClient } from '../token/invalid-client.ts'
import { publicClientId } from '../token/public-client-id.ts'
import { requiredParameter } from '../token/required-parameter.ts'
import { revokeTokenFamily } from '../token/revoke-token-family.ts'
import type { TokenRequest } from '../token/token-request.ts'

/**
 * An app gives up its tokens: every one of the code that the named one came of, whether that is an access token or a refresh
 * token, used ones included (specification "POST {base_url}/oauth/revoke"; RFC 7009). A token that is unknown is given up
 * already, and a service connection's is none of an app's: neither is an error.
 *
 * @throws 401 `invalid_client` for whoever is no registered app; 400 `unauthorized_client` for another app's token
 */
export const revokeToken = async (
  context: Pick<Context, 'pool' | 'clock'>,
  request: TokenRequest,
): Promise<void> => {
  const clientId = publicClientId(request)
  const tokenHash = hashSecret(requiredParameter(request, 'token'))
  const found = await readTokenToRevoke(context.pool, clientId, tokenHash)
  if (!found.registered) throw invalidClient(false)
  if (found.token_family_id === null) return
  if (found.client_id !== clientId) {
    throw new OauthError('unauthorized_client', 'The token was issued to another app.')
  }
  await revokeTokenFamily(context, {
    tokenFamilyId: found.token_family_id,
    connectionId: found.connection_id!,
  })
}
