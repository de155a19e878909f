import { toFreshness, type Freshness } from '../../people/companies/freshness.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { countStoredDeliveries, selectActivity, type ActivityRow } from './activity-queries.ts'
import type { Source } from './source.ts'

/**
 * Deliveries waiting for a rebuild that are counted; with more, the answer does not say how many are done. Bounds the cost
 * of polling.
 */
const waitingCountedMax = 50_000
/**
 * Parsed deliveries of a rebuild that are skipped to find the last third of them, whose pace is reported; with more, it is
 * the pace of all after these.
 */
const parsedSkippedMax = 50_000
/** The least time that this last third must have taken before its pace is reported, in milliseconds. */
const paceMsMin = 3_000
/** Deliveries that share one parse time, because a worker writes them together; a pace must not start within them. */
const roundMax = 500
/** Stored deliveries of a source that are counted for its page; beyond it the page says "more". */
const storedCountedMax = 50_000

interface LastDelivery {
  artifactId: string
  idempotencyKey: string
  receivedAt: Date
  sandbox: boolean
  state: 'queued' | 'parsed' | 'unreadable'
  /** Null while it is queued, as are the other two. */
  rowsAccepted: number | null
  rowsRefused: number | null
  rowsDateAlone: number | null
}

interface RebuildProgress {
  /** `counting`: `total` still grows. */
  state: 'waiting' | 'counting' | 'parsing'
  /** Null if more are waiting than are counted (`waitingCountedMax`). */
  done: number | null
  total: number
  /** At the pace of the last third of what is done; null if that cannot be estimated. */
  secondsLeft: number | null
}

/** The activity of a source. */
export interface SourceActivity {
  /** The last production delivery; without any, the last test delivery. */
  lastDelivery: LastDelivery | null
  freshness: Freshness
  /** Null if none is in progress. */
  rebuild: RebuildProgress | null
}

export interface StoredDeliveries {
  deliveries: number
  contentBytes: number
  /** There are more than are counted (`storedCountedMax`). */
  more: boolean
}

/** The activity of a company's sources at an instant, by source id. */
export async function readActivity(
  on: Queryable,
  companyId: string,
  sources: readonly Source[],
  nowMs: number,
): Promise<Map<string, SourceActivity>> {
  const rows = await selectActivity.rows(on, {
    companyId,
    sourceIds: sources.map((source) => source.sourceId),
    at: new Date(nowMs),
    waitingMax: waitingCountedMax,
    skippedMax: parsedSkippedMax,
    roundMax,
  })
  return new Map(rows.map((row) => [row.source_id, toActivity(row, nowMs)]))
}

/** Counts test and production deliveries. */
export async function countStored(
  on: Queryable,
  companyId: string,
  sourceId: string,
): Promise<StoredDeliveries> {
  const counted = await countStoredDeliveries.first(on, {
    companyId,
    sourceId,
    deliveriesMax: storedCountedMax + 1,
  })
  const { deliveries, content_bytes: contentBytes } = counted!
  return {
    deliveries: Math.min(deliveries, storedCountedMax),
    contentBytes,
    more: deliveries > storedCountedMax,
  }
}

function toActivity(row: ActivityRow, nowMs: number): SourceActivity {
  return {
    lastDelivery: toLastDelivery(row),
    freshness: toFreshness(row),
    rebuild: toRebuild(row, nowMs),
  }
}

function toLastDelivery(row: ActivityRow): LastDelivery | null {
  if (row.artifact_id === null) return null
  return {
    artifactId: row.artifact_id,
    idempotencyKey: row.idempotency_key,
    receivedAt: row.received_at,
    sandbox: row.sandbox,
    state: row.state ?? 'queued',
    rowsAccepted: row.rows_accepted,
    rowsRefused: row.rows_refused,
    rowsDateAlone: row.rows_date_alone,
  }
}

function toRebuild(row: ActivityRow, nowMs: number): RebuildProgress | null {
  const { enumerated, is_begun: isBegun, total, waiting } = row
  if (enumerated === null) return null
  const state = enumerated ? 'parsing' : isBegun ? 'counting' : 'waiting'
  // A rebuild from before deliveries were counted has a total below what is waiting.
  const done = waiting > waitingCountedMax ? null : Math.max(0, total - waiting)
  return {
    state,
    done,
    total: Math.max(total, Math.min(waiting, waitingCountedMax)),
    secondsLeft: state === 'parsing' && done !== null ? secondsLeft(row, done, nowMs) : null,
  }
}

/**
 * The remaining time at the pace of the last third, since rebuilds slow down over time. Null if that is too little to go
 * by, and if all waiting deliveries have failed before: they are retried after a pause, and the end cannot be predicted.
 */
function secondsLeft(row: ActivityRow, done: number, nowMs: number): number | null {
  const { waiting, has_untried: hasUntried, two_thirds_at: since, two_thirds_done: doneThen } = row
  if (waiting === 0) return 0
  if (!hasUntried || since === null || doneThen === null) return null
  const parsed = done - doneThen
  const tookMs = nowMs - since.getTime()
  return parsed > 0 && tookMs >= paceMsMin ? Math.ceil((waiting * tookMs) / parsed / 1_000) : null
}
