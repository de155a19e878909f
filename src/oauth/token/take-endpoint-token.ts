import { rateHeaders } from '../../access/rate-headers.ts'
import { takeToken } from '../../access/take-token.ts'
import type { Context } from '../../context.ts'
import { OauthError } from '../oauth-error.ts'
import type { TokenRequest } from './token-request.ts'

/** Whatever else was sent as an id shares one bucket a network, so that made-up ids make no rows. */
const idForm = /^[\w-]{1,100}$/

/**
 * Takes a token from the bucket of the client in its network, for token and revoke together (reading `oauth.limits`).
 *
 * @returns the headers of reading `all.bucket`
 * @throws 429 `temporarily_unavailable` with `Retry-After`
 */
export const takeEndpointToken = async (
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  request: Pick<TokenRequest, 'form' | 'credentials' | 'network'>,
): Promise<Record<string, string>> => {
  const named = request.credentials?.clientId ?? request.form.get('client_id') ?? ''
  const client = idForm.test(named) ? named : '-'
  const rate = context.config.rates.oauth
  const bucket = await takeToken(
    context.pool,
    `oauth ${client} ${request.network}`,
    rate,
    context.clock.now(),
  )
  const headers = rateHeaders(rate, bucket)
  if (!bucket.granted) {
    throw new OauthError(
      'temporarily_unavailable',
      'There were too many requests; wait as long as Retry-After says.',
      {
        status: 429,
        headers: { ...headers, 'Retry-After': String(bucket.retryAfterSeconds) },
      },
    )
  }
  return headers
}
