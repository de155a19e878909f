import { isOlderRelease, release } from '../../platform/config/release.ts'
import { majorVersion } from '../../platform/database/embedded.ts'
import { BackupError } from './backup-error.ts'
import { listBases, readBase, type Base, type ListedBase } from './base.ts'
import {
  compareSegments,
  isHistory,
  isSegment,
  listSegments,
  parseHistory,
  toNewestTimeline,
  toTimeline,
  toWalKey,
  type Timelines,
  type TimelineSwitch,
} from './layout.ts'
import type { SealedStore } from './sealed-store.ts'
import { decodeSegment } from './ship-segments.ts'

/** Which segments and timelines are stored. */
export interface StoredLog {
  segments: ReadonlySet<string>
  timelines: Timelines
}

/** Of one cluster and its restored copies. */
export async function readStoredLog(sealed: SealedStore, system: string): Promise<StoredLog> {
  const prefix = toWalKey(system, '')
  const segments = new Set<string>()
  const timelines = new Map<number, TimelineSwitch[]>()
  for await (const { key } of sealed.store.list(prefix)) {
    const name = key.slice(prefix.length)
    if (isSegment(name)) segments.add(name)
    else if (isHistory(name)) {
      const history = decodeSegment((await sealed.get(key))!).content.toString('utf8')
      timelines.set(toTimeline(name), parseHistory(history))
    }
  }
  // A copy that was just restored has stored no segment yet: until then the old timeline is the one to follow.
  const begun = new Set(Array.from(segments, toTimeline))
  return { segments, timelines: new Map([...timelines].filter(([timeline]) => begun.has(timeline))) }
}

/** What the log stored after a base leads to. */
export interface Reach {
  timeline: number
  /** Without a gap, from the base's first one on; the last one is the end. */
  segments: string[]
  /** The first one that is missing before the newest one that is stored. */
  missing: string | undefined
}

/** How far the stored log leads from a base, along a timeline or else the newest one. */
export function toReach(base: Base, { segments, timelines }: StoredLog, wanted?: number): Reach {
  const timeline = wanted ?? toNewestTimeline(base.stopSegment, timelines)
  const newest = [...segments]
    .filter((name) => toTimeline(name) === timeline)
    .toSorted(compareSegments)
    .at(-1)
  const found: string[] = []
  if (newest === undefined) return { timeline, segments: found, missing: base.startSegment }
  for (const name of listSegments(base.startSegment, newest, timelines.get(timeline) ?? [])) {
    if (!segments.has(name)) return { timeline, segments: found, missing: name }
    found.push(name)
  }
  return { timeline, segments: found, missing: undefined }
}

/** When the last transactions in a segment may have been committed. */
export async function readFinishedAt(sealed: SealedStore, segmentKey: string): Promise<Date> {
  const stored = await sealed.get(segmentKey)
  if (stored === undefined) throw new BackupError(`${segmentKey} is missing in ${sealed.store.place}.`)
  return decodeSegment(stored).finishedAt
}

export interface RestorePlan {
  base: Base
  name: string
  reach: Reach
  /** Up to when the stored log leads. */
  endsAt: Date
}

/**
 * The newest base before an instant. Of the bases of one cluster, one whose log leads to a newer timeline comes first: where a copy
 * was restored, the others belong to what was given up.
 */
async function findBase(
  sealed: SealedStore,
  bases: readonly ListedBase[],
  to: Date,
  timeline: number | undefined,
): Promise<Omit<RestorePlan, 'endsAt'> | undefined> {
  let best: Omit<RestorePlan, 'endsAt'> | undefined
  let log: StoredLog | undefined
  for (const { name } of bases.filter(({ startedAt }) => startedAt <= to).toReversed()) {
    const base = await readBase(sealed, name)
    if (best !== undefined && base.systemIdentifier !== best.base.systemIdentifier) break
    log ??= await readStoredLog(sealed, base.systemIdentifier)
    const reach = toReach(base, log, timeline)
    if (new Date(base.endedAt) > to || !reach.segments.includes(base.stopSegment)) continue
    if (best === undefined || reach.timeline > best.reach.timeline) best = { base, name, reach }
    if (timeline !== undefined) break
  }
  return best
}

/** @throws BackupError if another PostgreSQL is needed, or a release that knows what is in the database */
function requireThisRelease({ release: takenBy, postgres }: Base): void {
  if (postgres !== Number(majorVersion))
    throw new BackupError(
      `The backup is of PostgreSQL ${postgres}, and this is ${majorVersion}: use release ${takenBy}.`,
    )
  if (isOlderRelease(release, takenBy))
    throw new BackupError(
      `The backup is of release ${takenBy}, and this is ${release}: use that one, or a later one.`,
    )
}

/**
 * Finds what is needed to restore an instant. Writes nothing.
 *
 * @throws BackupError with what there is, if that instant cannot be restored
 */
export async function planRestore(
  sealed: SealedStore,
  to: Date | 'latest',
  timeline?: number,
): Promise<RestorePlan> {
  const bases = await listBases(sealed)
  const first = bases[0]
  if (first === undefined) throw new BackupError(`There is no base in ${sealed.store.place}.`)
  const wanted = to === 'latest' ? new Date(8.64e15) : to
  const found = await findBase(sealed, bases, wanted, timeline)
  if (found === undefined)
    throw new BackupError(
      `Nothing before the end of the first base can be restored, which began at ${first.startedAt.toISOString()}.`,
    )
  requireThisRelease(found.base)
  const endsAt = await readFinishedAt(
    sealed,
    toWalKey(found.base.systemIdentifier, found.reach.segments.at(-1)!),
  )
  if (to !== 'latest' && to > endsAt) {
    const gap = found.reach.missing === undefined ? '' : ` The segment ${found.reach.missing} is missing.`
    throw new BackupError(`The stored log ends at ${endsAt.toISOString()}.${gap}`)
  }
  return { ...found, endsAt }
}
