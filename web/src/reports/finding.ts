import { add, compare, ratio, subtract } from '../decimals/decimal.ts'
import type { Change } from '../language/format-number.ts'
import type { Report } from './report-queries.ts'
import { getReadOut, isPartOfYear, type ShownSeries } from './shown-series.ts'

/** What a sentence says of a report: its last finished period. */
export interface Finding {
  period: number
  value: string
  previous: { period: number; change: Change } | undefined
  yearBefore: { start: string; change: Change } | undefined
  /** The period that is going on, against the same days a year before. */
  current: { period: number; change: Change } | undefined
  /** The largest label value, with its share in whole per cent. */
  largest: { key: string; percent: number } | undefined
}

/** @returns undefined where no period is finished, or there is no total */
export function getFinding(
  report: Report,
  series: readonly ShownSeries[],
  toChange: (value: string | null | undefined, base: string | null | undefined) => Change | undefined,
): Finding | undefined {
  const { totals, periods, year_before } = report
  const period = getReadOut(report)
  const value = totals?.[period]
  if (value == null || periods[period]?.finished !== true) return undefined
  const previous = toChange(value, totals?.[period - 1])
  const year = toChange(value, year_before?.totals?.[period])
  const start = year_before?.starts[period]
  return {
    period,
    value,
    previous: previous && { period: period - 1, change: previous },
    yearBefore: year !== undefined && start != null ? { start, change: year } : undefined,
    current: getCurrent(report, toChange),
    largest: report.combines === 'sum' ? getLargest(series, period, value) : undefined,
  }
}

function getCurrent(
  report: Report,
  toChange: (value: string | null | undefined, base: string | null | undefined) => Change | undefined,
): Finding['current'] {
  const { totals, year_before, periods } = report
  const period = periods.findIndex(({ finished }, index) => !finished && isPartOfYear(report, index))
  const change = toChange(totals?.[period], year_before?.totals?.[period])
  return change && { period, change }
}

function getLargest(series: readonly ShownSeries[], period: number, total: string): Finding['largest'] {
  const named = series.flatMap(({ key, kind, values }) => {
    const value = values[period]
    return kind === 'value' && key !== null && value != null ? [{ key, value }] : []
  })
  if (named.length < 2 || compare(total, '0') <= 0) return undefined
  const largest = named.reduce((a, b) => (compare(b.value, a.value) > 0 ? b : a))
  const percent = Math.round(ratio(largest.value, total) * 100)
  return percent > 0 && percent <= 100 ? { key: largest.key, percent } : undefined
}

/** How a report as known at an instant differs from today's; undefined without totals to compare. */
export function getVintageDifference({ totals, vintage_today, combines }: Report) {
  const today = vintage_today?.totals
  if (totals === null || today == null) return undefined
  const differences = totals.flatMap((then, index) => {
    const now = today[index] ?? null
    const isChanged = then !== null && (now === null || compare(then, now) !== 0)
    return isChanged ? [subtract(now ?? '0', then)] : []
  })
  return {
    /** Periods with a figure then and a different one, or none, today. */
    changed: differences.length,
    /** The sum of their differences; undefined where totals do not add. */
    by: combines === 'sum' && differences.length > 0 ? differences.reduce(add) : undefined,
    /** Periods without a figure then and with one today. */
    unknown: totals.filter((then, index) => then === null && today[index] != null).length,
  }
}
