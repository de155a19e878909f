import { addDays, type Grain } from '../language/format-day.ts'

/** Presets: the last days or months up to today, or a calendar year. */
export const rangeNames = ['30d', '90d', '12m', '24m', 'year', 'last-year'] as const
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

function subtractMonths(today: string, months: number): string {
  const month = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1 - months
  const [year, place] = [Math.floor(month / 12), month % 12]
  return `${String(year).padStart(4, '0')}-${String(place + 1).padStart(2, '0')}-01`
}

/** @param today the company's day */
export function toRange(name: RangeName, today: string): Range {
  const year = Number(today.slice(0, 4))
  if (name === 'last-year') return { first: `${year - 1}-01-01`, last: `${year - 1}-12-31` }
  const first = {
    '30d': addDays(today, -29),
    '90d': addDays(today, -89),
    '12m': subtractMonths(today, 11),
    '24m': subtractMonths(today, 23),
    year: `${year}-01-01`,
  }
  return { first: first[name], last: today }
}
