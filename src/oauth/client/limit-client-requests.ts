import { rateHeaders } from '../../rate-limit/rate-headers.ts'
import { createRateLimiter } from '../../rate-limit/rate-limiter.ts'
import type { Context } from '../../service/context.ts'
import { createBatchObserver } from '../../telemetry/observe-batch.ts'
import { tooManyRequests } from '../errors.ts'
import { valueOf } from '../parameters.ts'
import { createKnownClients } from './known-clients.ts'
import type { ClientRequest } from './client-request.ts'

/** The database is asked for no other id. */
const idPattern = /^[\w-]{1,100}$/

export type LimitClientRequest = (
  request: Pick<ClientRequest, 'parameters' | 'credentials' | 'network'>,
) => Promise<Record<string, string>>

/** Stands for every id that no client has. */
const unknownClient = '-'

/**
 * Consumes a token of the bucket of a client in its network, for token and revoke together [oauth.limits]. The members
 * of an app that runs on a server all come as one client from one network: those that wait are counted in one
 * statement, and not one after another.
 *
 * Ids that no client has share one bucket for each network, so that made-up ids neither evade the limit nor make
 * buckets. Ids are no secret (RFC 6749, 2.2) and cannot be guessed, so that the headers may differ.
 *
 * The limiter gives the headers of [all.bucket], or throws 429 `temporarily_unavailable` with `Retry-After`.
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
