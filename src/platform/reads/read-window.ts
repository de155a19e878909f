import { invalidArgument } from '../http/errors/errors.ts'
import { firstPeriodDay, formatDay, lastPeriodDay } from '../../formats/values/period.ts'
import { parseTimestamp } from '../../formats/values/timestamp.ts'

/** The specification's Window: days of the company, `YYYY-MM-DD`. */
export interface Window {
  /** The first day read. */
  from: string
  /** The day after the last day read. */
  to: string
  /** Whether `from` was too far back for the widest window, and was moved forward. */
  narrowed: boolean
}

/** Days of the widest window (specification, "Limits"). */
export const windowDaysMax = 731

/** Reads a day as a number counted from 1970-01-01. @throws 400 with the parameter's name */
export function readDay(text: string, name: string): number {
  const read = parseTimestamp(text)
  if (
    typeof read === 'string' ||
    read.kind !== 'date' ||
    read.day < firstPeriodDay ||
    read.day > lastPeriodDay
  ) {
    throw invalidArgument(`${name} is not a day, such as 2026-01-31.`, name)
  }
  return read.day
}

/**
 * Reads the days that a call is about [read.window], [read.dates].
 *
 * @param today the company's day, counted from 1970-01-01
 * @throws 400 with field `from` or `to`
 */
export function readWindow(from: string | undefined, to: string | undefined, today: number): Window {
  const fromDay = from === undefined ? undefined : readDay(from, 'from')
  const toDay = to === undefined ? today + 1 : readDay(to, 'to')
  if (fromDay !== undefined && fromDay >= toDay) {
    throw invalidArgument(
      to === undefined
        ? 'from is after today: to is then needed too.'
        : 'from is not before to, which is the day after the last.',
      'from',
    )
  }
  if (toDay <= firstPeriodDay) {
    throw invalidArgument(`There is no day before ${formatDay(firstPeriodDay)}: choose a later to.`, 'to')
  }
  const reach = Math.max(toDay - windowDaysMax, firstPeriodDay)
  const isNarrowed = fromDay !== undefined && fromDay < reach
  return {
    from: formatDay(isNarrowed ? reach : (fromDay ?? reach)),
    to: formatDay(toDay),
    narrowed: isNarrowed,
  }
}
