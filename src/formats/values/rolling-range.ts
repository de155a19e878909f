import { dateOfDay, dayNumber } from './calendar.ts'
import { formatDay } from './period.ts'

/** Ranges that roll with the day: the last days or months up to today, or a calendar period, this one up to today. */
export const rangeNames = [
  '30d',
  '90d',
  '12m',
  '24m',
  'month',
  'last-month',
  'quarter',
  'last-quarter',
  'year',
  'last-year',
  'fiscal',
  'last-fiscal',
] as const
export type RangeName = (typeof rangeNames)[number]

/** First and last day. */
export interface Range {
  first: string
  last: string
}

/** The first day of a month, counted from January of the year 0. */
function toFirst(month: number): number {
  return dayNumber(Math.floor(month / 12), (month % 12) + 1, 1)
}

/**
 * @param today the company's day, counted from 1970-01-01
 * @param fiscalMonth the first one of its fiscal year, from 1 to 12
 */
export function toRange(name: RangeName, today: number, fiscalMonth: number): Range {
  const date = dateOfDay(today)
  const month = date.year * 12 + date.month - 1
  const quarter = month - (month % 3)
  const year = month - (month % 12)
  const fiscal = month - ((month + 13 - fiscalMonth) % 12)
  /** So many whole months before the one that begins a period. */
  const before = (start: number, months: number) => [toFirst(start - months), toFirst(start) - 1] as const
  const days: Record<RangeName, readonly [first: number, last: number]> = {
    '30d': [today - 29, today],
    '90d': [today - 89, today],
    '12m': [toFirst(month - 11), today],
    '24m': [toFirst(month - 23), today],
    month: [toFirst(month), today],
    'last-month': before(month, 1),
    quarter: [toFirst(quarter), today],
    'last-quarter': before(quarter, 3),
    year: [toFirst(year), today],
    'last-year': before(year, 12),
    fiscal: [toFirst(fiscal), today],
    'last-fiscal': before(fiscal, 12),
  }
  const [first, last] = days[name]
  return { first: formatDay(first), last: formatDay(last) }
}
