import { rateHeaders } from '../../rate-limit/rate-headers.ts'
import { createRateLimiter } from '../../rate-limit/rate-limiter.ts'
import type { Context } from '../../service/context.ts'
import { createBatchObserver } from '../../telemetry/observe-batch.ts'
import { tooManyRequests } from '../errors.ts'
import { valueOf } from '../parameters.ts'
import { createKnownClients } from './known-clients.ts'
import type { ClientRequest } from './client-request.ts'

/** The database is asked for nothing else. */
const idPattern = /^[\w-]{1,100}$/

export type LimitClientRequest = (
  request: Pick<ClientRequest, 'parameters' | 'credentials' | 'network'>,
) => Promise<Record<string, string>>

/** No id. An id that no client has shares the bucket of its network, so that made-up ids are no way around it. */
const unknownClient = '-'

/**
 * Consumes of the bucket of the client in its network, for token and revoke together [oauth.limits]. The members of an
 * app that runs on a server all come as one client from one network: those that wait are counted in one statement, and
 * not one after another.
 *
 * Ids that no client has share one bucket for each network: made-up ids make no buckets. Ids are no secret (RFC 6749,
 * 2.2) and cannot be guessed, so that the headers may differ.
 *
 * What it gives answers with the headers of [all.bucket], or throws 429 `temporarily_unavailable` with `Retry-After`.
 */
export function createClientRequestLimiter(
  context: Pick<Context, 'pool' | 'clock' | 'config' | 'telemetry'>,
): LimitClientRequest {
  const rate = context.config.rates.oauth
  const consume = createRateLimiter({
    pool: context.pool,
    clock: context.clock,
    rate,
    onBatch: createBatchObserver(context.telemetry, 'oauth_rate'),
  })
  const isKnown = createKnownClients(context)
  return async (request) => {
    const named = request.credentials?.clientId ?? valueOf(request.parameters, 'client_id') ?? ''
    const client = idPattern.test(named) && (await isKnown(named)) ? named : unknownClient
    const bucket = await consume(`oauth ${client} ${request.network}`)
    const headers = rateHeaders(rate, bucket)
    if (bucket.granted) return headers
    throw tooManyRequests(
      'There were too many requests; wait as long as Retry-After says.',
      headers,
      bucket.retryAfterSeconds,
    )
  }
}
