import { rateHeaders } from '../../access/rate-headers.ts'
import { createTokenTaker } from '../../access/token-taker.ts'
import type { Context } from '../../context.ts'
import { createNoteBatch } from '../../http/note-batch.ts'
import { OauthError } from '../oauth-error.ts'
import type { TokenRequest } from './token-request.ts'

/** Whatever else was sent as an id shares one bucket a network, so that made-up ids make no rows. */
const idForm = /^[\w-]{1,100}$/

export type TakeEndpointToken = (
  request: Pick<TokenRequest, 'form' | 'credentials' | 'network'>,
) => Promise<Record<string, string>>

/**
 * Takes a token from the bucket of the client in its network, for token and revoke together (reading `oauth.limits`). The
 * members of an app that runs on a server all come as one client from one network: those that wait take theirs in one
 * statement, and not one after another.
 *
 * What it gives answers with the headers of reading `all.bucket`, or throws 429 `temporarily_unavailable` with `Retry-After`.
 */
export const createTakeEndpointToken = (
  context: Pick<Context, 'pool' | 'clock' | 'config' | 'figures'>,
): TakeEndpointToken => {
  const rate = context.config.rates.oauth
  const take = createTokenTaker({
    pool: context.pool,
    clock: context.clock,
    rate,
    onBatch: createNoteBatch(context.figures, 'oauth_rate'),
  })
  return async (request) => {
    const named = request.credentials?.clientId ?? request.form.get('client_id') ?? ''
    const client = idForm.test(named) ? named : '-'
    const bucket = await take(`oauth ${client} ${request.network}`)
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
}
