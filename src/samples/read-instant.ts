import { invalidArgument } from '../http/errors.ts'
import { parseTimestamp } from '../values/timestamp.ts'

/** The last instant with a four-digit year; nothing is received before 1970. */
const lastInstantMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Milliseconds since 1970, rounded down: receive times are whole milliseconds.
 *
 * @throws 400 with the parameter's name where it is no instant with an offset
 */
export function readInstant(text: string, name: string): number {
  const read = parseTimestamp(text)
  if (typeof read === 'string' || read.kind !== 'instant') {
    throw invalidArgument(`${name} is no instant with an offset, such as 2026-01-31T12:00:00Z.`, name)
  }
  const { seconds, fraction } = read.instant
  return seconds * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

/** An instant as statements take it: of the years in which something may have been received. */
export function storableInstant(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), lastInstantMs)).toISOString()
}
