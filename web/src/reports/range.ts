import { addDays, type Grain } from '../language/format-day.ts'

/** Presets that roll with the day: the last days or months up to today, or a calendar period, this one up to today. */
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

/** The range of an address without one. Without a grain it is the metric's own, which is not loaded yet. */
export function getDefaultRange(grain: Grain | undefined): RangeName {
  return grain === 'day' ? '30d' : grain === 'week' ? '90d' : '12m'
}

/** The first day of a month, counted from January of the year 0. */
function toFirst(month: number): string {
  const [year, place] = [Math.floor(month / 12), month % 12]
  return `${String(year).padStart(4, '0')}-${String(place + 1).padStart(2, '0')}-01`
}

/**
 * @param today the company's day
 * @param fiscalMonth the first one of its fiscal year, from 1 to 12
 */
export function toRange(name: RangeName, today: string, fiscalMonth: number): Range {
  const month = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1
  /** The whole calendar period of so many months before the one that began in a month. */
  const before = (start: number, months: number): Range => ({
    first: toFirst(start - months),
    last: addDays(toFirst(start), -1),
  })
  const quarter = month - (month % 3)
  const year = month - (month % 12)
  const fiscal = month - ((month + 13 - fiscalMonth) % 12)
  const whole: Partial<Record<RangeName, Range>> = {
    'last-month': before(month, 1),
    'last-quarter': before(quarter, 3),
    'last-year': before(year, 12),
    'last-fiscal': before(fiscal, 12),
  }
  const first: Partial<Record<RangeName, string>> = {
    '30d': addDays(today, -29),
    '90d': addDays(today, -89),
    '12m': toFirst(month - 11),
    '24m': toFirst(month - 23),
    month: toFirst(month),
    quarter: toFirst(quarter),
    year: toFirst(year),
    fiscal: toFirst(fiscal),
  }
  return whole[name] ?? { first: first[name]!, last: today }
}
