import { dateOfDay, dayNumber, daysInMonth } from '../../formats/values/calendar.ts'
import {
  firstPeriodDay,
  formatDay,
  lastPeriodDay,
  periodStart,
  type Period,
} from '../../formats/values/period.ts'

/** A period by its first and its last day, counted from 1970-01-01. */
export interface DayRange {
  first: number
  last: number
}

/** The whole period in which a day lies [all.time]. */
export function periodOfDay(grain: Period, day: number): DayRange {
  const first = periodStart(grain, day)
  return { first, last: Math.min(nextStart(grain, first) - 1, lastPeriodDay) }
}

function nextStart(grain: Period, start: number): number {
  if (grain === 'day') return start + 1
  if (grain === 'week') return start + 7
  const { year, month } = dateOfDay(start)
  return start + daysInMonth(year, month)
}

/** The periods from the one with the day `from` to the one with the day `last`, the oldest first. */
export function periodsFrom(grain: Period, from: number, last: number): DayRange[] {
  const found: DayRange[] = []
  for (let day = from; day <= last;) {
    const period = periodOfDay(grain, day)
    found.push(period)
    day = period.last + 1
  }
  return found
}

/** The previous period; undefined before the first representable day. */
export function periodBefore(grain: Period, { first }: DayRange): DayRange | undefined {
  return first - 1 < firstPeriodDay ? undefined : periodOfDay(grain, first - 1)
}

/** The last `count` periods up to the one with the day `today`, the oldest first. */
export function lastPeriods(grain: Period, today: number, count: number): DayRange[] {
  const found: DayRange[] = []
  let period: DayRange | undefined = periodOfDay(grain, today)
  while (period !== undefined && found.length < count) {
    found.push(period)
    period = periodBefore(grain, period)
  }
  return found.toReversed()
}

/**
 * The same period a year before: the day of that month, the month, or the week of that number (ISO 8601). Undefined for a
 * leap day, and for week 53, since no two years that follow each other have one.
 */
export function periodYearBefore(grain: Period, { first }: DayRange): DayRange | undefined {
  const start = grain === 'week' ? weekYearBefore(first) : dateYearBefore(first)
  return start === undefined || start < firstPeriodDay ? undefined : periodOfDay(grain, start)
}

/**
 * The days a year before that a period is compared with: of an unfinished one only as many as have passed, from the first of
 * the month or the Monday. Undefined where {@link periodYearBefore} is, and for an unfinished period without days of its own:
 * part of it cannot be compared.
 *
 * @param today the last day that has begun, counted from 1970-01-01
 * @param hasDays whether the metric is counted by day
 */
export function daysYearBefore(
  grain: Period,
  period: DayRange,
  today: number,
  hasDays: boolean,
): DayRange | undefined {
  const before = periodYearBefore(grain, period)
  const isGoingOn = period.first <= today && today < period.last
  if (before === undefined || !isGoingOn) return before
  const { first, last } = before
  return hasDays ? { first, last: Math.min(last, first + today - period.first) } : undefined
}

function dateYearBefore(day: number): number | undefined {
  const date = dateOfDay(day)
  if (date.day > daysInMonth(date.year - 1, date.month)) return undefined
  return dayNumber(date.year - 1, date.month, date.day)
}

/** A week belongs to the year in which its Thursday lies; the fourth of January is always in the first one. */
function weekYearBefore(monday: number): number | undefined {
  const { year } = dateOfDay(monday + 3)
  const sinceFirst = monday - getFirstMonday(year)
  const before = getFirstMonday(year - 1) + sinceFirst
  return before < getFirstMonday(year) ? before : undefined
}

function getFirstMonday(year: number): number {
  return periodStart('week', dayNumber(year, 1, 4))
}

/** A period's days as `YYYY-MM-DD`. */
export function formatRange({ first, last }: DayRange): { start: string; end: string } {
  return { start: formatDay(first), end: formatDay(last) }
}
