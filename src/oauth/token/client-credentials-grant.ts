import { hashSecret, newSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import { invalidClient } from './invalid-client.ts'
import { OauthError } from '../oauth-error.ts'
import { accessTokenMs } from './new-token-pair.ts'
import { issueToken, readTokenSwitch } from './queries.ts'
import type { ClientCredentials } from './read-client-credentials.ts'
import type { TokenAnswer, TokenRequest } from './token-request.ts'
import { tokensStopped } from './tokens-stopped.ts'

/** Ids that this service gives out; the database could not even be asked for some others (NUL). */
const clientIdPattern = /^[\x21-\x7e]{1,100}$/

/** RFC 6749, 2.3: a client authenticates in one way. */
const checkOneMethod = ({ form, credentials }: TokenRequest): void => {
  const clientId = form.get('client_id')
  if (credentials === undefined) return
  if (form.has('client_secret') || (clientId !== undefined && clientId !== credentials.clientId)) {
    throw new OauthError('invalid_request', 'The client was named in two ways; use HTTP Basic alone.')
  }
}

const requireCredentials = ({ credentials, usedAuthorization }: TokenRequest): ClientCredentials => {
  if (credentials === undefined || !clientIdPattern.test(credentials.clientId)) {
    throw invalidClient(usedAuthorization)
  }
  return credentials
}

/**
 * A service connection exchanges its id and secret for an access token of an hour, or less where the connection ends
 * sooner (specification "Client credentials"). A connection that is unsigned, expired or revoked, and a secret whose
 * overlap is over, are `invalid_client` like a wrong one.
 */
export const clientCredentialsGrant = async (
  context: Pick<Context, 'pool' | 'clock'>,
  request: TokenRequest,
): Promise<TokenAnswer> => {
  checkOneMethod(request)
  const { clientId, clientSecret } = requireCredentials(request)
  const token = newSecret('nat_')
  const now = context.clock.now()
  const issued = await issueToken(context.pool, {
    clientId,
    secretHash: hashSecret(clientSecret),
    tokenHash: hashSecret(token),
    issuedAt: new Date(now),
    expiresAt: new Date(now + accessTokenMs),
  })
  if (issued === undefined) {
    const stopped = (await readTokenSwitch(context.pool)) !== undefined
    throw stopped ? tokensStopped() : invalidClient(request.usedAuthorization)
  }
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: Math.floor((issued.expires_at.getTime() - now) / 1_000),
    scope: issued.permissions.join(' '),
  }
}
