import { dayNumber, daysInMonth } from './calendar.ts'
import { formatDay, twoDigits } from './period.ts'

/** A moment: whole seconds since 1970-01-01T00:00:00Z, rounded down, and the digits after the point. */
export interface Instant {
  seconds: number
  /** Decimals of a second without zeros at the end; empty for a whole second. Always counted forwards. */
  fraction: string
}

/** A date alone is a day; its instant depends on the time zone. */
export type Timestamp = { kind: 'instant'; instant: Instant } | { kind: 'date'; day: number }

export type TimestampFault = 'malformed' | 'no_offset' | 'no_such_day' | 'no_such_time'

const shape =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:([Zz])|([+-])([0-9]{2}):([0-9]{2}))?)?$/

export const secondsOfDay = 86_400

/**
 * Parses RFC 3339 with offset (`T`, `t` or a space; `Z` or `z`; any number of decimals), or a date alone
 * [parse.timestamp]. The second 60 is accepted where leap seconds are inserted, 23:59:60 in UTC, of any day, and
 * read as the next second. Hours of an offset go to 23, its minutes to 59 (RFC 3339, section 5.6).
 */
export function parseTimestamp(text: string): Timestamp | TimestampFault {
  const match = shape.exec(text)
  if (match === null) return 'malformed'
  const year = Number(match[1])
  const month = Number(match[2])
  const dayOfMonth = Number(match[3])
  if (dayOfMonth < 1 || dayOfMonth > daysInMonth(year, month)) return 'no_such_day'
  const day = dayNumber(year, month, dayOfMonth)
  if (match[4] === undefined) return { kind: 'date', day }

  const hour = Number(match[4])
  const minute = Number(match[5])
  const second = Number(match[6])
  if (hour > 23 || minute > 59 || second > 60) return 'no_such_time'
  let offsetMinutes = 0
  if (match[8] === undefined) {
    if (match[9] === undefined) return 'no_offset'
    const offsetHour = Number(match[10])
    const offsetMinute = Number(match[11])
    if (offsetHour > 23 || offsetMinute > 59) return 'no_such_time'
    offsetMinutes = (offsetHour * 60 + offsetMinute) * (match[9] === '-' ? -1 : 1)
  }
  const minuteOfDay = (hour * 60 + minute - offsetMinutes + 2880) % 1440
  if (second === 60 && minuteOfDay !== 1439) return 'no_such_time'
  const seconds = day * secondsOfDay + (hour * 60 + minute - offsetMinutes) * 60 + second
  return { kind: 'instant', instant: { seconds, fraction: trimFraction(match[7] ?? '') } }
}

/** Decimals of a second without the zeros at their end. */
function trimFraction(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--
  return digits.slice(0, end)
}

/** Less than 0, 0 or more than 0 as `a` is before, at or after `b`. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.seconds !== b.seconds) return a.seconds - b.seconds
  // Digits after a point compare like text.
  return a.fraction < b.fraction ? -1 : a.fraction > b.fraction ? 1 : 0
}

/** An instant as RFC 3339 in UTC, for instance `2026-01-05T10:00:00.5Z`. */
export function formatInstant({ seconds, fraction }: Instant): string {
  const day = Math.floor(seconds / secondsOfDay)
  const rest = seconds - day * secondsOfDay
  const time = `${twoDigits(Math.floor(rest / 3600))}:${twoDigits(Math.floor(rest / 60) % 60)}:${twoDigits(rest % 60)}`
  return `${formatDay(day)}T${time}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** An instant as exact seconds since the epoch, a decimal without zeros at the end. */
export function formatEpochSeconds({ seconds, fraction }: Instant): string {
  if (fraction === '') return String(seconds)
  if (seconds >= 0) return `${seconds}.${fraction}`
  // -2 and .25 forwards is -1.75: the whole seconds come one nearer, the decimals are what is missing to one.
  const ones = 10n ** BigInt(fraction.length)
  const missing = String(ones - BigInt(fraction)).padStart(fraction.length, '0')
  return `-${-seconds - 1}.${missing}`
}
