import { int8Array } from '../../../platform/database/binary-array.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import {
  advance,
  followedQueuedMax,
  lastNumber,
  rewind,
  settle,
  storingSecondsMax,
  type Position,
  type Segment,
} from './position.ts'

import {
  countSegments,
  selectNewest,
  selectNext,
  selectParsed,
  type FollowedRow,
  type FollowedSource,
} from './queries.ts'

export const deliveryStates = ['queued', 'parsed', 'unreadable'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface FollowRequest {
  /** Deliveries of one answer. */
  limit: number
  /** Only those in this state; undefined for all. */
  state: DeliveryState | undefined
}

export interface FollowedDeliveries {
  deliveries: FollowedRow[]
  position: Position
  /** Whether there are further ones to be read now. */
  more: boolean
}

/** Deliveries that are read at a time where a state is requested, and how often, to find some in that state. */
const filteredRowsMax = 500
const filteredReadsMax = 10

/** The position behind the newest delivery, which waits for the outcomes of the newest that are queued. */
export async function findNewestPosition(
  on: Queryable,
  source: FollowedSource,
  nowMs: number,
): Promise<Position> {
  const rows = await selectNewest.rows(on, { ...source, limit: followedQueuedMax + 1 })
  const newest = rows.slice(0, followedQueuedMax)
  const floor = BigInt(rows[followedQueuedMax]?.receive_number ?? 0)
  const end = BigInt(newest[0]?.receive_number ?? 0)
  const queued = new Set(newest.filter((row) => row.queued).map((row) => BigInt(row.receive_number)))
  return advance({ floor, segments: [], queued }, { end, count: newest.length, drawnBy: toSeconds(nowMs) })
}

/**
 * Reads what happened to a source's deliveries behind a position: outcomes of those that were queued, and further
 * deliveries. One that committed behind the position late is found too, and then deliveries near it are given again.
 */
export async function readFollowed(
  on: Queryable,
  source: FollowedSource,
  from: Position,
  { limit, state }: FollowRequest,
  nowMs: number,
): Promise<FollowedDeliveries> {
  let position = await rewindToLate(on, source, settle(from, toSeconds(nowMs)))
  const queued = new Set(position.queued)
  const deliveries: FollowedRow[] = []
  const give = (row: FollowedRow): void => {
    if (state === undefined || state === (row.state ?? 'queued')) deliveries.push(row)
  }
  if (queued.size > 0) {
    const numbers = int8Array([...queued])
    for (const row of await selectParsed.rows(on, { ...source, numbers, limit })) {
      queued.delete(BigInt(row.receive_number))
      give(row)
    }
  }
  const rowsMax = state === undefined ? limit + 1 : filteredRowsMax
  let more = true
  for (let reads = 0; more && deliveries.length < limit && reads < filteredReadsMax; reads++) {
    const rows = await selectNext.rows(on, { ...source, after: lastNumber(position), limit: rowsMax })
    const stop = rows.findIndex((row) => {
      if (deliveries.length === limit || !addQueued(queued, row)) return true
      give(row)
      return false
    })
    const count = stop === -1 ? rows.length : stop
    more = stop === -1 ? rows.length === rowsMax : deliveries.length === limit
    if (count === 0) break
    position = advance(position, toSegment(rows[count - 1]!, count, nowMs))
  }
  const sorted = deliveries.toSorted((one, other) =>
    Number(BigInt(one.receive_number) - BigInt(other.receive_number)),
  )
  return { deliveries: sorted, position: { ...position, queued }, more }
}

function toSegment({ receive_number, received_at }: FollowedRow, count: number, nowMs: number): Segment {
  const drawnBy = Math.min(toSeconds(nowMs), toSeconds(received_at.getTime()) + storingSecondsMax)
  return { end: BigInt(receive_number), count, drawnBy }
}

/** Notes a delivery that is queued, and returns whether there was room for it. */
function addQueued(queued: Set<bigint>, { receive_number, state }: FollowedRow): boolean {
  const number = BigInt(receive_number)
  if (state !== null) queued.delete(number)
  else if (!queued.has(number) && queued.size >= followedQueuedMax) return false
  else queued.add(number)
  return true
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1_000)
}

async function rewindToLate(on: Queryable, source: FollowedSource, position: Position): Promise<Position> {
  const { floor, segments } = position
  if (segments.length === 0) return position
  const ends = int8Array(segments.map(({ end }) => end))
  const rows = await countSegments.rows(on, { ...source, floor, last: lastNumber(position), ends })
  return rewind(position, new Map(rows.map(({ segment, count }) => [segment, count])))
}
