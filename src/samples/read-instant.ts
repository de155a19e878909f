import { invalidArgument } from '../http/errors.ts'
import { parseTimestamp } from '../values/timestamp.ts'

/** The last instant with a four-digit year; nothing is received before 1970. */
const lastInstantMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A time whose offset begins with a space: what `+` stands for in a query. */
const lostPlus = /\d:\d\d(?::\d\d(?:\.\d+)?)? \d\d:?\d\d$/

/** @throws 400 where the `+` of a time's offset stood in an address as it is */
export function refuseLostPlus(text: string, name: string): void {
  if (!lostPlus.test(text)) return
  throw invalidArgument(`${name} has a space where its offset begins: write + as %2B in an address.`, name)
}

/**
 * Milliseconds since 1970, rounded down: receive times are whole milliseconds.
 *
 * @throws 400 with the parameter's name where it is no instant with an offset
 */
export function readInstant(text: string, name: string): number {
  const read = parseTimestamp(text)
  if (typeof read === 'string' || read.kind !== 'instant') {
    refuseLostPlus(text, name)
    throw invalidArgument(`${name} is not a time with an offset, such as 2026-01-31T12:00:00Z.`, name)
  }
  const { seconds, fraction } = read.instant
  return seconds * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

/** An instant as statements take it: of the years in which something may have been received. */
export function storableInstant(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), lastInstantMs)).toISOString()
}
