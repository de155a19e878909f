import { boolArray, int4Array, int8Array, uuidArray } from '../../../platform/database/binary-array.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { followedQueuedMax, lastNumber, rewind, type Position } from './position.ts'
import { lookForChanges, type FollowedSource } from './queries.ts'
import type { Wait } from './waits.ts'

/** A call that waits behind a position in a source's deliveries. */
export interface FollowingCall extends Wait, FollowedSource {
  position: Position
}

/** Newest receive numbers of a source that a look reads. */
const newestMax = 500
/** Queued deliveries that a look looks for, of all calls together. */
const queuedLookUpsMax = 5_000

interface Followed extends FollowedSource {
  floor: bigint
  queued: Set<bigint>
  calls: FollowingCall[]
}

/** Finds those calls for which there is a new delivery, a late one, or an outcome. One statement for all of a company. */
export async function findChanged(
  on: Queryable,
  companyId: string,
  calls: readonly FollowingCall[],
): Promise<FollowingCall[]> {
  const followed = [...toFollowed(calls).values()]
  const queued = followed
    .flatMap(({ sourceId, queued: numbers }, index) => {
      return [...numbers].map((number) => ({ sourceId, place: index + 1, number }))
    })
    .slice(0, queuedLookUpsMax)
  const rows = await lookForChanges.rows(on, {
    companyId,
    sourceIds: uuidArray(followed.map(({ sourceId }) => sourceId)),
    sandboxes: boolArray(followed.map(({ sandbox }) => sandbox)),
    floors: int8Array(followed.map(({ floor }) => floor)),
    newestMax,
    queuedSourceIds: uuidArray(queued.map(({ sourceId }) => sourceId)),
    queuedPlaces: int4Array(queued.map(({ place }) => place)),
    queuedNumbers: int8Array(queued.map(({ number }) => number)),
  })
  const changed = new Set<FollowingCall>()
  for (const { place, parsed, numbers } of rows) {
    const found = numbers.map(BigInt)
    for (const call of followed[place - 1]!.calls) {
      const { position } = call
      const has = parsed ? found.some((number) => position.queued.has(number)) : hasNew(position, found)
      if (has) changed.add(call)
    }
  }
  return [...changed]
}

function toFollowed(calls: readonly FollowingCall[]): Map<string, Followed> {
  const sources = new Map<string, Followed>()
  for (const call of calls) {
    const { companyId, sourceId, sandbox, position } = call
    const { floor } = position
    const key = `${sourceId} ${sandbox}`
    const followed = sources.get(key) ?? { companyId, sourceId, sandbox, floor, queued: new Set(), calls: [] }
    if (floor < followed.floor) followed.floor = floor
    for (const number of position.queued) followed.queued.add(number)
    followed.calls.push(call)
    sources.set(key, followed)
  }
  return sources
}

/** @param newest receive numbers, latest first, above the floor of every call unless there are `newestMax` */
function hasNew(position: Position, newest: readonly bigint[]): boolean {
  const last = lastNumber(position)
  // Nothing further is read before some of the queued ones are parsed.
  if ((newest[0] ?? 0n) > last && position.queued.size < followedQueuedMax) return true
  // The next call counts again.
  if (newest.length === newestMax) return false
  const counts = new Map<number, number>()
  for (const number of newest) {
    if (number <= position.floor || number > last) continue
    const segment = position.segments.findIndex(({ end }) => number <= end)
    counts.set(segment, (counts.get(segment) ?? 0) + 1)
  }
  return rewind(position, counts) !== position
}
