import {
  type Range,
  type RangeName,
  rangeNames,
  toRange as toRangeOf,
} from '../../../src/formats/values/rolling-range.ts'
import type { Grain } from '../language/format-day.ts'

export { type Range, type RangeName, rangeNames }

/** The range of an address without one. Without a grain it is the metric's own, which is not loaded yet. */
export function getDefaultRange(grain: Grain | undefined): RangeName {
  return grain === 'day' ? '30d' : grain === 'week' ? '90d' : '12m'
}

/**
 * @param today the company's day
 * @param fiscalMonth the first one of its fiscal year, from 1 to 12
 */
export function toRange(name: RangeName, today: string, fiscalMonth: number): Range {
  return toRangeOf(name, Date.parse(`${today}T00:00:00Z`) / 86_400_000, fiscalMonth)
}
