import { invalidArgument, type ApiError } from '../../../platform/http/errors/errors.ts'

/*
 * Where a reader is in a source's deliveries, in the order of their receive numbers. Numbers are drawn before a delivery commits,
 * so one may appear below those that were read already. Each answer leaves a segment: up to which number it read, and how
 * many deliveries there were. As long as a lower number may still commit, the segment is counted again, and read again where
 * the count differs. Deliveries that were read while they were queued are kept by number, so that their outcome is given too.
 */

export interface Segment {
  /** The last receive number; the segment begins behind the one before it, or the floor. */
  end: bigint
  /** Deliveries that were read in it. */
  count: number
  /** By when its last number had been drawn, in seconds. */
  drawnBy: number
}

export interface Position {
  /** Every delivery up to this number has been read, and none will be added. */
  floor: bigint
  segments: Segment[]
  /** Receive numbers of deliveries that were queued when they were read. */
  queued: ReadonlySet<bigint>
}

/** Queued deliveries whose outcomes a cursor waits for; further ones are read once some are parsed. */
export const followedQueuedMax = 100

/** After how long no lower number commits any more, in seconds: far beyond the time limit of any transaction that stores. */
const settledAfterSeconds = 30

/** How long storing a delivery takes at most, in seconds: from the instant of receipt to its last try to draw a number. */
export const storingSecondsMax = 30

/** Segments of a cursor; of more, the oldest are joined. */
export const segmentsMax = 32

export const startOfDeliveries: Position = { floor: 0n, segments: [], queued: new Set() }

export function lastNumber({ floor, segments }: Position): bigint {
  return segments.at(-1)?.end ?? floor
}

/** The position once a segment was read behind it. */
export function advance(position: Position, segment: Segment): Position {
  if (segment.count === 0) return position
  const segments = [...position.segments, segment]
  if (segments.length <= segmentsMax) return { ...position, segments }
  const [first, second, ...rest] = segments
  return { ...position, segments: [{ ...second!, count: first!.count + second!.count }, ...rest] }
}

/** The same position without the segments that are not counted any more. */
export function settle(position: Position, nowSeconds: number): Position {
  const open = position.segments.findIndex(({ drawnBy }) => drawnBy > nowSeconds - settledAfterSeconds)
  const settled = open === -1 ? position.segments.length : open
  if (settled === 0) return position
  const floor = position.segments[settled - 1]!.end
  return { ...position, floor, segments: position.segments.slice(settled) }
}

/** The same position in front of the first segment that has another number of deliveries than were read. */
export function rewind(position: Position, counts: ReadonlyMap<number, number>): Position {
  const changed = position.segments.findIndex(({ count }, index) => counts.get(index) !== count)
  return changed === -1 ? position : { ...position, segments: position.segments.slice(0, changed) }
}

const numberMax = 2n ** 63n - 1n
const number = '[0-9a-z]{1,13}'
const pattern = new RegExp(
  `^1_${number}(?:[.]${number}-[0-9a-z]{1,6}-[0-9a-z]{1,7}){0,${segmentsMax}}_(?:${number}(?:[.]${number}){0,${followedQueuedMax - 1}})?$`,
)

/** The position as an opaque text of at most 2,300 characters, all allowed in a URL. */
export function writeCursor({ floor, segments, queued }: Position): string {
  const read = segments.map(({ end, count, drawnBy }) => [end, count, drawnBy].map(toText).join('-'))
  return `1_${[toText(floor), ...read].join('.')}_${[...queued].map(toText).join('.')}`
}

function malformed(): ApiError {
  return invalidArgument('after is not one that an answer gave: send cursor as it came, or now.', 'after')
}

/** @throws 400 with field `after` */
export function readCursor(text: string): Position {
  if (!pattern.test(text)) throw malformed()
  const [, read = '', queued = ''] = text.split('_')
  const [floor, ...segments] = read.split('.').map((part) => part.split('-').map(toNumber))
  const position = {
    floor: floor![0]!,
    segments: segments.map(([end, count, drawnBy]) => {
      return { end: end!, count: Number(count), drawnBy: Number(drawnBy) }
    }),
    queued: new Set(queued === '' ? [] : queued.split('.').map(toNumber)),
  }
  const ends = [position.floor, ...position.segments.map(({ end }) => end)]
  const rises = ends.every((end, index) => index === 0 || end > ends[index - 1]!)
  if (!rises || [...ends, ...position.queued].some((each) => each > numberMax)) throw malformed()
  return position
}

function toText(value: bigint | number): string {
  return value.toString(36)
}

function toNumber(text: string): bigint {
  return [...text].reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
}
