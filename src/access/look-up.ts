import type { Pool } from 'pg'
import { createBatcher, type BatcherOptions } from '../database/batcher.ts'
import { createLookUpGroups } from './look-up-groups.ts'
import type { AccessRates, CallerRow, CallGroup } from './queries.ts'
import { hashSecret } from '../keys/secrets.ts'
import { readShare, type BucketState } from '../rate-limit/bucket.ts'

/** What a call presents and asks for. */
export interface Call {
  token: string
  orgnr: string | null
  sourceId: string | null
  fromDocs: boolean
  network: string | null
}

export interface Caller {
  row: CallerRow
  /** Undefined where the call takes no token: not authenticated, or refused for coming from the API reference. */
  rate: (BucketState & { granted: boolean; limit: number }) | undefined
}

export interface LookUpOptions {
  pool: Pool
  rates: AccessRates
  now: () => number
  onBatch?: BatcherOptions<Call, Caller>['onBatch']
}

export type LookUp = (call: Call) => Promise<Caller>

/** Calls that are looked up in one statement; the rest goes with the next. */
export const lookUpCallsMax = 512
/** Calls that wait to be looked up; a further one is 503. */
export const lookUpQueueMax = 20_000

/** Neither a token nor anything after it has a space in it. */
function groupKey(call: Call): string {
  return `${call.token} ${call.orgnr ?? ''} ${call.sourceId ?? ''} ${call.fromDocs ? 'd' : ''} ${call.network ?? ''}`
}

function groupCalls(calls: readonly Call[]): { groups: CallGroup[]; groupOf: number[] } {
  const indexes = new Map<string, number>()
  const groups: CallGroup[] = []
  const groupOf = calls.map((call) => {
    const key = groupKey(call)
    const known = indexes.get(key)
    if (known !== undefined) {
      groups[known]!.calls++
      return known
    }
    const { orgnr, sourceId, fromDocs, network } = call
    indexes.set(key, groups.length)
    const credentialHash = hashSecret(call.token)
    const mayBeApp = call.token.startsWith('nat_')
    return groups.push({ credentialHash, mayBeApp, orgnr, sourceId, fromDocs, network, calls: 1 }) - 1
  })
  return { groups, groupOf }
}

/** Gives each subject's tokens out in the order in which its calls came. */
function giveOut(
  calls: readonly number[],
  rows: readonly CallerRow[],
  rates: AccessRates,
  nowMs: number,
): Caller[] {
  const given = new Map<string, number>()
  return calls.map((group) => {
    const row = rows[group]!
    if (row.subject === null) return { row, rate: undefined }
    const rate = row.kind === 'demo' ? rates.demo : rates.connection
    const position = given.get(row.subject) ?? 0
    given.set(row.subject, position + 1)
    const taken = { fullAtUs: Number(row.full_at_us), granted: row.granted }
    return { row, rate: { ...readShare(taken, position, nowMs * 1_000, rate), limit: rate.perMinute } }
  })
}

/**
 * Looks up who calls. Every call is looked up, together with all calls that wait; what a credential opens is never
 * remembered, so what is revoked stops at once.
 */
export function createLookUp(options: LookUpOptions): LookUp {
  const { pool, rates, now, onBatch } = options
  const lookUpGroups = createLookUpGroups(pool)
  const batcher = createBatcher<Call, Caller>({
    itemsMax: lookUpCallsMax,
    queueMax: lookUpQueueMax,
    run: async (calls) => {
      const nowMs = now()
      const { groups, groupOf } = groupCalls(calls)
      const rows = await lookUpGroups({ groups, rates, nowMs })
      return giveOut(groupOf, rows, rates, nowMs)
    },
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  return (call) => batcher.submit(call)
}
