import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { createForEachShard, type Context, type Shards } from '../../context.ts'
import { createBatcher, type Batcher, type BatcherOptions } from '../../platform/database/batcher.ts'
import { onceForEach } from '../../platform/database/once-for-each.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import type { Rate } from '../../platform/config/config.ts'
import { readShare, type BucketState, type ConsumedRow } from '../../platform/rate-limit/bucket.ts'
import { consumeForSubjects, type SubjectCalls } from '../../platform/rate-limit/consume.ts'
import { lookUpApps, lookUpConnections, type AccessRates, type CallerRow, type CallGroup } from './queries.ts'
import { lookUpSources, type CalledSource, type SourceRow } from './source-queries.ts'

interface Call {
  token: string
  orgnr: string | null
  sourceId: string | null
  fromDocs: boolean
  network: string | null
}

/** What is known of a caller before the source. */
interface Known {
  row: CallerRow
  /** Undefined if the call consumes no token: not authenticated, or refused because it comes from the API reference. */
  rate: (BucketState & { granted: boolean; limit: number }) | undefined
}

export interface Caller extends Known {
  /** The source that the call is about; undefined if it is about none that its company has. */
  source: SourceRow | undefined
}

export interface FindCallerOptions {
  /** For what the shared schemas know of a credential. */
  pool: Pool
  shards: Pick<Shards, 'get'>
  rates: AccessRates
  now: () => number
  onBatch?: BatcherOptions<Call, Known>['onBatch']
}

export type FindCaller = (call: Call) => Promise<Caller>

/** Calls that are looked up in one statement; the rest wait for the next. */
const lookUpCallsMax = 512
/** Calls that wait to be looked up; a further one is 503. */
const lookUpQueueMax = 20_000
/** Tokens that are remembered, by their hashes; then the one used longest ago is identified again. */
const rememberedTokensMax = 20_000

/** Neither a token nor anything after it contains a space. */
function toGroupKey(call: Call): string {
  return `${call.token} ${call.orgnr ?? ''} ${call.sourceId ?? ''} ${call.fromDocs ? 'd' : ''} ${call.network ?? ''}`
}

function groupCalls(calls: readonly Call[]): { groups: CallGroup[]; groupIndexes: number[] } {
  const indexes = new Map<string, number>()
  const groups: CallGroup[] = []
  const groupIndexes = calls.map((call) => {
    const key = toGroupKey(call)
    const known = indexes.get(key)
    if (known !== undefined) {
      groups[known]!.calls++
      return known
    }
    const { token, ...rest } = call
    indexes.set(key, groups.length)
    const mayBeApp = token.startsWith('nat_')
    return groups.push({ credentialHash: hashSecret(token), mayBeApp, ...rest, calls: 1 }) - 1
  })
  return { groups, groupIndexes }
}

function toKey(group: CallGroup): string {
  return group.credentialHash.toString('latin1')
}

/**
 * Looks up the credentials of a batch: those of service connections in one statement, the tokens of apps in another.
 * Both kinds look alike. A token is looked up as a service connection's first, and from then on as an app's if it turned
 * out to be one. Only which statement knows a token is remembered, never what it opens.
 */
function createGroupLookup(
  pool: Pool,
): (groups: readonly CallGroup[], nowMs: number) => Promise<CallerRow[]> {
  const apps = new LRUCache<string, true>({ max: rememberedTokensMax })

  return async (groups, nowMs) => {
    const lookUpAsApps = async (some: readonly CallGroup[]): Promise<CallerRow[]> =>
      some.length === 0 ? [] : lookUpApps(pool, some, nowMs)

    const known: CallGroup[] = []
    const others: CallGroup[] = []
    for (const group of groups) (group.mayBeApp && apps.get(toKey(group)) ? known : others).push(group)
    const [knownRows, otherRows] = await Promise.all([
      lookUpAsApps(known),
      others.length === 0 ? [] : lookUpConnections(pool, others, nowMs),
    ])
    const missed = others.filter((group, index) => group.mayBeApp && otherRows[index]!.connection_id === null)
    if (others.length === 0) return knownRows
    if (known.length === 0 && missed.length === 0) return otherRows

    const rows = new Map<CallGroup, CallerRow>()
    for (const [index, group] of known.entries()) rows.set(group, knownRows[index]!)
    for (const [index, group] of others.entries()) rows.set(group, otherRows[index]!)
    const missedRows = await lookUpAsApps(missed)
    for (const [index, group] of missed.entries()) {
      const row = missedRows[index]!
      if (row.connection_id === null) continue
      rows.set(group, row)
      apps.set(toKey(group), true)
    }
    return groups.map((group) => rows.get(group)!)
  }
}

/** The source that a call is about, if any: the one named, or the connection's; an app need not name the only one. */
function toCalledSource({ sourceId }: Call, row: CallerRow): CalledSource | undefined {
  const { company_id: companyId, kind, bound_source_id: bound } = row
  const named = sourceId ?? bound
  if (companyId === null || (named === null && kind !== 'delegated')) return undefined
  return { companyId, sourceId: named }
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

function toRate({ kind }: CallerRow, rates: AccessRates): Rate {
  return kind === 'demo' ? rates.demo : rates.connection
}

/** Consumes tokens for all calls of the groups, of which each subject may have several. */
function consume(
  pool: Pool,
  groups: readonly CallGroup[],
  rows: readonly CallerRow[],
  rates: AccessRates,
  nowMs: number,
): Promise<Map<string, ConsumedRow>> {
  const subjects = new Map<string, SubjectCalls>()
  for (const [index, { calls }] of groups.entries()) {
    const row = rows[index]!
    if (row.subject === null) continue
    const before = subjects.get(row.subject)?.calls ?? 0
    subjects.set(row.subject, { calls: before + calls, rate: toRate(row, rates) })
  }
  return consumeForSubjects(pool, subjects, nowMs)
}

/** Gives each subject's tokens to its calls in the order in which they arrived. */
function shareTokens(
  groupIndexes: readonly number[],
  rows: readonly CallerRow[],
  consumed: ReadonlyMap<string, ConsumedRow>,
  rates: AccessRates,
  nowMs: number,
): Known[] {
  const positions = new Map<string, number>()
  return groupIndexes.map((group) => {
    const row = rows[group]!
    if (row.subject === null) return { row, rate: undefined }
    const rate = toRate(row, rates)
    const position = positions.get(row.subject) ?? 0
    positions.set(row.subject, position + 1)
    const share = readShare(consumed.get(row.subject)!, position, nowMs * 1_000, rate)
    return { row, rate: { ...share, limit: rate.perMinute } }
  })
}

/**
 * Finds who calls. Every call is looked up, in a batch with all calls that wait; what a credential opens is never
 * cached, so that a revocation takes effect immediately. Its source is looked up in the shard of its company, in batches
 * of their own, so that a shard that is unavailable delays no call to another.
 */
export function createFindCaller({ pool, shards, rates, now, onBatch }: FindCallerOptions): FindCaller {
  const lookUpGroups = createGroupLookup(pool)
  const credentials = createBatcher<Call, Known>({
    itemsMax: lookUpCallsMax,
    queueMax: lookUpQueueMax,
    run: async (calls) => {
      const nowMs = now()
      const { groups, groupIndexes } = groupCalls(calls)
      const rows = await lookUpGroups(groups, nowMs)
      const consumed = await consume(pool, groups, rows, rates, nowMs)
      return shareTokens(groupIndexes, rows, consumed, rates, nowMs)
    },
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  const toSources = createForEachShard(createSourceLookUp)
  return async (call) => {
    const known = await credentials.submit(call)
    const called = toCalledSource(call, known.row)
    const source = called && (await toSources(shards.get(known.row.shard)).submit(called))
    return { ...known, source }
  }
}
