import { hashSecret, newSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import type { ClientRequest } from '../client/client-request.ts'
import type { ClientCredentials } from '../client/read-client-credentials.ts'
import { invalidClient, invalidRequest, tokensStopped } from '../errors.ts'
import { valueOf } from '../parameters.ts'
import { readTokenSwitch } from './switch-queries.ts'
import type { TokenAnswer } from './token-answer.ts'
import { accessTokenMs } from './token-pair.ts'
import { issueToken } from './token-queries.ts'

/** All ids that this service gives out fit; some others could not even be sent to the database (NUL). */
const clientIdPattern = /^[\x21-\x7e]{1,100}$/

/** RFC 6749, 2.3: a client authenticates in one way. */
function checkOneMethod({ parameters, credentials }: ClientRequest): void {
  const clientId = valueOf(parameters, 'client_id')
  if (credentials === undefined) return
  if (
    valueOf(parameters, 'client_secret') !== undefined ||
    (clientId !== undefined && clientId !== credentials.clientId)
  ) {
    throw invalidRequest('The client was named in two ways; use HTTP Basic alone.')
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
    throw invalidClient(usedAuthorization, 'The client secret stands where the client id belongs: swap them.')
  }
  if (/^n(?:sk|at)_/.test(clientSecret)) {
    throw invalidClient(
      usedAuthorization,
      'This is no client secret (ncs_): a static credential or token is sent to /v1 as it is, as Bearer.',
    )
  }
  if (!clientIdPattern.test(clientId)) throw invalidClient(usedAuthorization)
  return credentials
}

/**
 * A service connection exchanges its id and secret for an access token of an hour, or less where the connection ends
 * sooner (specification "Client credentials"). A connection that is unsigned, expired or revoked, and a secret whose
 * overlap is over, are `invalid_client` like a wrong one.
 */
export async function clientCredentialsGrant(
  context: Pick<Context, 'pool' | 'clock'>,
  request: ClientRequest,
): Promise<TokenAnswer> {
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
