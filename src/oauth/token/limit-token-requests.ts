import { rateHeaders } from '../../rate-limit/rate-headers.ts'
import { createRateLimiter } from '../../rate-limit/rate-limiter.ts'
import type { Context } from '../../service/context.ts'
import { createBatchObserver } from '../../telemetry/observe-batch.ts'
import { OauthError } from '../oauth-error.ts'
import { createKnownClients } from './known-clients.ts'
import type { TokenRequest } from './token-request.ts'

/** The database is asked for nothing else. */
const idPattern = /^[\w-]{1,100}$/

export type LimitTokenRequest = (
  request: Pick<TokenRequest, 'form' | 'credentials' | 'network'>,
) => Promise<Record<string, string>>

/** No id. Whatever is sent as one that nobody has shares the bucket of its network, so that made-up ids are no way around it. */
const nobody = '-'

/**
 * Takes a token from the bucket of the client in its network, for token and revoke together [oauth.limits]. The
 * members of an app that runs on a server all come as one client from one network: those that wait take theirs in one
 * statement, and not one after another.
 *
 * Ids that nobody has share one bucket for each network. So there are as many buckets as networks call for each client, and
 * one more a network: made-up ids make none. Ids are no secret (RFC 6749, 2.2) and nobody guesses one, so that the headers may
 * differ.
 *
 * What it gives answers with the headers of [all.bucket], or throws 429 `temporarily_unavailable` with `Retry-After`.
 */
export function createTokenRequestLimiter(
  context: Pick<Context, 'pool' | 'clock' | 'config' | 'telemetry'>,
): LimitTokenRequest {
  const rate = context.config.rates.oauth
  const take = createRateLimiter({
    pool: context.pool,
    clock: context.clock,
    rate,
    onBatch: createBatchObserver(context.telemetry, 'oauth_rate'),
  })
  const isKnown = createKnownClients(context)
  return async (request) => {
    const named = request.credentials?.clientId ?? request.form.get('client_id') ?? ''
    const client = idPattern.test(named) && (await isKnown(named)) ? named : nobody
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
