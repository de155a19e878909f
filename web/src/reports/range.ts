import { addDays, type Grain } from '../language/format-day.ts'

/** Presets: the last so many days or months with the one that is going on, or a calendar year. */
export const rangeNames = ['30d', '90d', '12m', '24m', 'year', 'last-year'] as const
export type RangeName = (typeof rangeNames)[number]

/** First and last day. */
export interface Range {
  first: string
  last: string
}

/** What a report begins with. Without a grain it is the metric's own, which is not known yet. */
export function firstRange(grain: Grain | undefined): RangeName {
  return grain === 'day' ? '30d' : grain === 'week' ? '90d' : '12m'
}

function monthsBack(today: string, months: number): string {
  const month = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1 - months
  const [year, place] = [Math.floor(month / 12), month % 12]
  return `${String(year).padStart(4, '0')}-${String(place + 1).padStart(2, '0')}-01`
}

/** @param today the company's day */
export function rangeOf(name: RangeName, today: string): Range {
  const year = Number(today.slice(0, 4))
  switch (name) {
    case '30d':
      return { first: addDays(today, -29), last: today }
    case '90d':
      return { first: addDays(today, -89), last: today }
    case '12m':
      return { first: monthsBack(today, 11), last: today }
    case '24m':
      return { first: monthsBack(today, 23), last: today }
    case 'year':
      return { first: `${year}-01-01`, last: today }
    case 'last-year':
      return { first: `${year - 1}-01-01`, last: `${year - 1}-12-31` }
  }
}
