import { LRUCache } from 'lru-cache'
import type { DirectoryContext } from '../../context.ts'
import { createBatcher } from '../../platform/database/batcher.ts'
import { textArray } from '../../platform/database/binary-array.ts'
import { rateHeaders } from '../../platform/rate-limit/rate-headers.ts'
import { createRateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { createBatchObserver } from '../../platform/telemetry/observe-batch.ts'
import { tooManyRequests } from '../oauth-error.ts'
import { getValue } from '../parameters.ts'
import type { ClientRequest } from './client-request.ts'
import { selectKnownClients } from './queries.ts'

/** Ids that are remembered; then the one used longest ago is looked up again. */
const rememberedClientsMax = 10_000
/** Ids that are looked up in one statement; the rest wait for the next. */
const clientIdsMax = 512
/** Ids that wait to be looked up; a further one is 503. */
const clientIdQueueMax = 20_000

/** No other id is looked up. */
const idPattern = /^[\w-]{1,100}$/

/** Replaces every unknown id. */
const unknownClient = '-'

export type LimitClientRequest = (request: ClientRequest) => Promise<Record<string, string>>

/**
 * Whether a client id was ever given to an app or a connection. A known id is looked up once; unknown ones are looked up
 * each time, in batches, and are not remembered.
 */
function createIsKnown({
  pool,
}: Pick<DirectoryContext, 'pool'>): (clientId: string) => boolean | Promise<boolean> {
  const remembered = new LRUCache<string, true>({ max: rememberedClientsMax })
  const lookups = createBatcher<string, boolean>({
    itemsMax: clientIdsMax,
    queueMax: clientIdQueueMax,
    run: async (clientIds) => {
      const rows = await selectKnownClients.rows(pool, { clientIds: textArray([...new Set(clientIds)]) })
      const known = new Set(rows.map((row) => row.client_id))
      for (const clientId of known) remembered.set(clientId, true)
      return clientIds.map((clientId) => known.has(clientId))
    },
  })
  return (clientId) => remembered.get(clientId) ?? lookups.submit(clientId)
}

/**
 * Consumes a token of the bucket of a client in its network, for token and revoke together [oauth.limits]. All members of an
 * app that runs on a server come as one client from one network, so calls that wait are counted in one statement.
 *
 * Unknown ids share one bucket for each network, so that made-up ids neither evade the limit nor create buckets. Ids are not
 * secret (RFC 6749, 2.2) and cannot be guessed, so the headers may differ.
 *
 * The limiter returns the headers of [all.bucket], or throws 429 `temporarily_unavailable` with `Retry-After`.
 */
export function createClientRequestLimiter(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config' | 'telemetry'>,
): LimitClientRequest {
  const { pool, clock, config, telemetry } = context
  const rate = config.rates.oauth
  const consume = createRateLimiter({ pool, clock, onBatch: createBatchObserver(telemetry, 'oauth_rate') })
  const isKnown = createIsKnown(context)
  return async ({ credentials, parameters, network }) => {
    const named = credentials?.clientId ?? getValue(parameters, 'client_id') ?? ''
    const client = idPattern.test(named) && (await isKnown(named)) ? named : unknownClient
    const bucket = await consume(`oauth ${client} ${network}`, rate)
    const headers = rateHeaders(rate, bucket)
    if (bucket.granted) return headers
    throw tooManyRequests(
      'There were too many requests; wait as long as Retry-After says.',
      headers,
      bucket.retryAfterSeconds,
    )
  }
}
