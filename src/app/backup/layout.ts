/**
 * What a backup is made of, and where it is kept:
 *
 * - `bases/<instant>.base`: a base backup: which chunks its files consist of, and from where its log is needed.
 * - `chunks/<key>/<sha256>`: a part of the files of any number of bases, under the fingerprint of the key it is sealed with.
 * - `wal/<system>/<segment>`: a finished segment of a database's log, or the history of a timeline, under its name in
 *   PostgreSQL. The system identifier tells apart databases that were created after each other; restored copies share it.
 * - `checked/<instant>.base`, `rehearsed`: what was found out about them, and when.
 * - `faulty`: the chunks that a check found missing or altered: the next base sends them again.
 * - `key`: under which key the newest objects are sealed.
 */

/** PostgreSQL's default size of a segment, with which the built-in database is created. */
const segmentBytes = 16 * 1_048_576
/** Segments of 16 MiB in one "logical log file" of 4 GiB. */
const segmentsPerLog = 256n

const segmentPattern = /^[\dA-F]{24}$/
const historyPattern = /^[\dA-F]{8}\.history$/

export const basesPrefix = 'bases/'
export const walPrefix = 'wal/'
export const checkedPrefix = 'checked/'
export const rehearsedKey = 'rehearsed'
export const faultyKey = 'faulty'
export const currentKeyKey = 'key'

/** @param system the identifier of the cluster */
export function toWalKey(system: string, name: string): string {
  return `${walPrefix}${system}/${name}`
}

/** Whether a file is a whole segment of the log: drafts and leftovers have other names. */
export function isSegment(name: string): boolean {
  return segmentPattern.test(name)
}

/** Whether a file has the history of a timeline. */
export function isHistory(name: string): boolean {
  return historyPattern.test(name)
}

/** The first 8 digits. */
export function toTimeline(segment: string): number {
  return Number.parseInt(segment.slice(0, 8), 16)
}

function toPosition(segment: string): bigint {
  return BigInt(`0x${segment.slice(8, 16)}`) * segmentsPerLog + BigInt(`0x${segment.slice(16)}`)
}

function toHex(value: bigint | number): string {
  return value.toString(16).toUpperCase().padStart(8, '0')
}

function toSegment(timeline: number, position: bigint): string {
  return toHex(timeline) + toHex(position / segmentsPerLog) + toHex(position % segmentsPerLog)
}

/** Compares where two segments are in the log, of whichever timelines. */
export function compareSegments(one: string, other: string): number {
  const difference = toPosition(one) - toPosition(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Name of the object of a base that began at an instant: in the order of time. */
export function toBaseName(startedAt: Date): string {
  return `${startedAt.toISOString().replaceAll(/[-:.]/g, '')}.base`
}

/** Where one timeline ends and the next begins, as PostgreSQL writes it: `1\t0/3000148\tno recovery target specified`. */
export interface TimelineSwitch {
  timeline: number
  position: bigint
}

/** The switches in a timeline's history, the first one first. */
export function parseHistory(text: string): TimelineSwitch[] {
  return text.split('\n').flatMap((line) => {
    const found = /^(\d+)\s+([\dA-F]+)\/([\dA-F]+)/.exec(line.trim())
    if (found === null) return []
    const bytes = (BigInt(`0x${found[2]}`) << 32n) | BigInt(`0x${found[3]}`)
    return [{ timeline: Number(found[1]), position: bytes / BigInt(segmentBytes) }]
  })
}

/** What is known of the timelines: by number, the switches that led to each. The first one has no history. */
export type Timelines = ReadonlyMap<number, readonly TimelineSwitch[]>

/** The newest timeline that goes through a segment of another one. Each restored copy begins one. */
export function toNewestTimeline(through: string, timelines: Timelines): number {
  const timeline = toTimeline(through)
  const later = [...timelines].filter(([, history]) =>
    history.some((each) => each.timeline === timeline && each.position > toPosition(through)),
  )
  return Math.max(timeline, ...later.map(([number]) => number))
}

/**
 * The names of the segments from one to another along a timeline. In the segment of a switch the new timeline has what the old
 * one had up to it.
 */
export function* listSegments(
  from: string,
  to: string,
  history: readonly TimelineSwitch[],
): Generator<string, void> {
  for (let position = toPosition(from); position <= toPosition(to); position++) {
    const timeline = history.find((each) => position < each.position)?.timeline ?? toTimeline(to)
    yield toSegment(timeline, position)
  }
}
