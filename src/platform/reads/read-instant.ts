import { invalidArgument } from '../http/errors/errors.ts'
import { parseTimestamp } from '../../formats/values/timestamp.ts'

/** The last instant with a four-digit year; nothing is received before 1970. */
const lastInstantMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A time whose offset begins with a space, which is what `+` means in a query. */
const lostPlus = /\d:\d\d(?::\d\d(?:\.\d+)?)? \d\d:?\d\d$/

/** @throws 400 when a time's offset lost its `+` because it was not percent-encoded */
export function refuseLostPlus(text: string, name: string): void {
  if (!lostPlus.test(text)) return
  throw invalidArgument(`${name} has a space where its offset begins: write + as %2B in an address.`, name)
}

/**
 * Reads an instant in milliseconds since 1970, rounded down because receive times are whole milliseconds.
 *
 * @throws 400 with the parameter's name when it is not an instant with an offset
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

/** An instant for a statement, moved into the years in which deliveries can have been received. */
export function storableInstant(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), lastInstantMs)).toISOString()
}
