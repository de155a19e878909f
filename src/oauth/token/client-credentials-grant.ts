import type { DirectoryContext } from '../../context.ts'
import { hashSecret, newSecret } from '../../platform/keys/secrets.ts'
import type { ClientCredentials, ClientRequest } from '../client/client-request.ts'
import { invalidClient, OauthError, tokensStopped } from '../oauth-error.ts'
import { getValue } from '../parameters.ts'
import { issueToken } from './queries.ts'
import { accessTokenMs, type TokenAnswer } from './token-answer.ts'
import { tokensStoppedSince } from './token-switch.ts'

/** Matches all ids of this service; some others could not even be sent to the database (NUL). */
const clientIdPattern = /^[\x21-\x7e]{1,100}$/

/** RFC 6749, 2.3: a client authenticates in one way. */
function checkOneMethod({ parameters, credentials }: ClientRequest): void {
  if (credentials === undefined) return
  const clientId = getValue(parameters, 'client_id') ?? credentials.clientId
  if (getValue(parameters, 'client_secret') !== undefined || clientId !== credentials.clientId) {
    throw new OauthError('invalid_request', 'The client was named in two ways; use HTTP Basic alone.')
  }
}

function requireCredentials({ credentials, usedAuthorization }: ClientRequest): ClientCredentials {
  if (credentials === undefined) {
    throw invalidClient(
      usedAuthorization,
      usedAuthorization
        ? 'The Authorization header must be HTTP Basic: base64 of the client id, a colon and the client secret.'
        : 'Send the client id and secret as HTTP Basic in the Authorization header, not in the body.',
    )
  }
  const { clientId, clientSecret } = credentials
  if (clientId.startsWith('ncs_')) {
    throw invalidClient(usedAuthorization, 'The client secret is where the client id belongs: swap them.')
  }
  if (/^n(?:sk|at)_/.test(clientSecret)) {
    throw invalidClient(
      usedAuthorization,
      'This is not a client secret (ncs_): a static credential or token is sent to /v1 as it is, as Bearer.',
    )
  }
  if (!clientIdPattern.test(clientId)) throw invalidClient(usedAuthorization)
  return credentials
}

/**
 * A service connection exchanges its id and secret for an access token of an hour, or less if the connection ends sooner
 * (specification "Client credentials"). A connection that is unsigned, expired or revoked, and a secret whose overlap is
 * over, are `invalid_client` like a wrong one.
 */
export async function clientCredentialsGrant(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  request: ClientRequest,
): Promise<TokenAnswer> {
  checkOneMethod(request)
  const { clientId, clientSecret } = requireCredentials(request)
  const token = newSecret('nat_')
  const now = context.clock.now()
  const issued = await issueToken.first(context.pool, {
    clientId,
    secretHash: hashSecret(clientSecret),
    tokenHash: hashSecret(token),
    issuedAt: new Date(now),
    expiresAt: new Date(now + accessTokenMs),
  })
  if (issued === undefined) {
    const isStopped = (await tokensStoppedSince(context)) !== undefined
    throw isStopped ? tokensStopped() : invalidClient(request.usedAuthorization)
  }
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: Math.floor((issued.expires_at.getTime() - now) / 1_000),
    scope: issued.permissions.join(' '),
  }
}
