import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock/clock.ts'
import { createForEachShard, type Context, type Shards } from '../../context.ts'
import type { Rate } from '../../platform/config/config.ts'
import { createBatcher, type Batcher, type BatcherOptions } from '../../platform/database/batcher.ts'
import { onceForEach } from '../../platform/database/once-for-each.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import type { RateLimitResult } from '../../platform/rate-limit/consume.ts'
import { createRateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { lookUpApps, lookUpConnections, type CallerRow, type CredentialCall } from './queries.ts'
import { lookUpSources, type CalledSource, type SourceRow } from './source-queries.ts'

interface Call {
  token: string
  orgnr: string | null
  sourceId: string | null
  fromDocs: boolean
  network: string | null
}

export interface Caller {
  /** The call that it was found for, and when, by the clock. */
  call: Call
  foundAtMs: number
  row: CallerRow
  /** Undefined if the call consumes no token: not authenticated, or refused because it comes from the API reference. */
  rate: (RateLimitResult & { limit: number }) | undefined
  /** The source that the call is about; undefined if it is about none that its company has. */
  source: SourceRow | undefined
}

export interface FindCallerOptions {
  /** For what the shared schemas know of a credential. */
  pool: Pool
  shards: Pick<Shards, 'get'>
  /** `demo` is by client network. */
  rates: Record<'connection' | 'demo', Rate>
  clock: Clock
  onBatch?: BatcherOptions<Call, CallerRow>['onBatch']
}

/**
 * @param isFree whether the call consumes no token; then it has no rate
 * @param before what was found for the same credential in the same request: what is about the same company, or the same source,
 * is not looked up again within a second
 */
export type FindCaller = (call: Call, isFree?: boolean, before?: Caller) => Promise<Caller>

/** Calls that are looked up in one statement; the rest wait for the next. */
const lookUpCallsMax = 512
/** Calls that wait to be looked up; a further one is 503. */
const lookUpQueueMax = 20_000
/** Tokens that are remembered, by their hashes; then the one used longest ago is identified again. */
const rememberedTokensMax = 20_000
/** For so long a request may use what it found of its credential, in milliseconds: its body may come slowly. */
const foundMsMax = 1_000

/** The same for calls with the same credential and company. Neither a token nor anything after it contains a space. */
function toKey({ token, orgnr, fromDocs, network }: Call): string {
  return `${token} ${orgnr ?? ''} ${fromDocs ? 'd' : ''} ${network ?? ''}`
}

function toCredentialCall({ token, orgnr, fromDocs, network }: Call): CredentialCall {
  return { credentialHash: hashSecret(token), mayBeApp: token.startsWith('nat_'), orgnr, fromDocs, network }
}

function toHash({ credentialHash }: CredentialCall): string {
  return credentialHash.toString('latin1')
}

/**
 * Looks up the credentials of a batch: those of service connections in one statement, the tokens of apps in another.
 * Both kinds look alike. A token is looked up as a service connection's first, and from then on as an app's if it turned
 * out to be one. Only which statement knows a token is remembered, never what it opens.
 */
function createCredentialLookUp(
  pool: Pool,
): (calls: readonly CredentialCall[], nowMs: number) => Promise<CallerRow[]> {
  const apps = new LRUCache<string, true>({ max: rememberedTokensMax })

  return async (calls, nowMs) => {
    const lookUpAsApps = async (some: readonly CredentialCall[]): Promise<CallerRow[]> =>
      some.length === 0 ? [] : lookUpApps(pool, some, nowMs)

    const known: CredentialCall[] = []
    const others: CredentialCall[] = []
    for (const call of calls) (call.mayBeApp && apps.get(toHash(call)) ? known : others).push(call)
    const [knownRows, otherRows] = await Promise.all([
      lookUpAsApps(known),
      others.length === 0 ? [] : lookUpConnections(pool, others, nowMs),
    ])
    const missed = others.filter((call, index) => call.mayBeApp && otherRows[index]!.connection_id === null)
    if (others.length === 0) return knownRows
    if (known.length === 0 && missed.length === 0) return otherRows

    const rows = new Map<CredentialCall, CallerRow>()
    for (const [index, call] of known.entries()) rows.set(call, knownRows[index]!)
    for (const [index, call] of others.entries()) rows.set(call, otherRows[index]!)
    const missedRows = await lookUpAsApps(missed)
    for (const [index, call] of missed.entries()) {
      const row = missedRows[index]!
      if (row.connection_id === null) continue
      rows.set(call, row)
      apps.set(toHash(call), true)
    }
    return calls.map((call) => rows.get(call)!)
  }
}

/** The source that a call is about, if any: the one named, or the connection's; an app need not name the only one. */
function toCalledSource({ sourceId }: Call, row: CallerRow): CalledSource | undefined {
  const { company_id: companyId, kind, bound_source_id: bound } = row
  const named = sourceId ?? bound
  if (companyId === null || (named === null && kind !== 'delegated')) return undefined
  return { companyId, sourceId: named }
}

function isSameCompany({ orgnr }: Call, { call, row }: Caller): boolean {
  return orgnr === call.orgnr || (orgnr !== null && orgnr === row.orgnr)
}

/** Looks up sources in one shard, each once for all calls of a batch that are about it. */
function createSourceLookUp({ acceptPool }: Context): Batcher<CalledSource, SourceRow | undefined> {
  return createBatcher<CalledSource, SourceRow | undefined>({
    itemsMax: lookUpCallsMax,
    queueMax: lookUpQueueMax,
    run: (called) =>
      onceForEach(
        called,
        ({ companyId, sourceId }) => `${companyId} ${sourceId ?? ''}`,
        async (distinct) => {
          const rows = await lookUpSources(acceptPool, distinct)
          return rows.map((row) => (row.source_id === null ? undefined : row))
        },
      ),
  })
}

/**
 * Finds who calls. Every call is looked up, in a batch with all calls that wait; what a credential opens is never
 * cached beyond the request that found it, so that a revocation takes effect immediately. Then its token is consumed while its source is looked up in the
 * shard of its company, each in batches of their own: a shard that is unavailable delays no call to another.
 */
export function createFindCaller({ pool, shards, rates, clock, onBatch }: FindCallerOptions): FindCaller {
  const lookUpCredentials = createCredentialLookUp(pool)
  const credentials = createBatcher<Call, CallerRow>({
    itemsMax: lookUpCallsMax,
    queueMax: lookUpQueueMax,
    run: (calls) =>
      onceForEach(calls, toKey, (distinct) => lookUpCredentials(distinct.map(toCredentialCall), clock.now())),
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  const consume = createRateLimiter({ pool, clock })
  const consumeFor = async ({ subject, kind }: CallerRow): Promise<Caller['rate']> => {
    if (subject === null) return undefined
    const rate = kind === 'demo' ? rates.demo : rates.connection
    return { ...(await consume(subject, rate)), limit: rate.perMinute }
  }
  const toSources = createForEachShard(createSourceLookUp)
  return async (call, isFree = false, before = undefined) => {
    const foundAtMs = clock.now()
    const isRecent = before !== undefined && Math.abs(foundAtMs - before.foundAtMs) < foundMsMax
    const known = isRecent && isSameCompany(call, before) ? before : undefined
    const row = known?.row ?? (await credentials.submit(call))
    const called = toCalledSource(call, row)
    const findSource = async () => called && toSources(shards.get(row.shard)).submit(called)
    const [rate, source] = await Promise.all([
      isFree ? undefined : consumeFor(row),
      known?.call.sourceId === call.sourceId ? known.source : findSource(),
    ])
    return { call, foundAtMs, row, rate, source }
  }
}
