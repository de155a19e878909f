import { compare, ratio, subtract } from '../decimals/decimal.ts'
import type { Change } from '../language/format-number.ts'
import type { Report } from './report-queries.ts'
import { periodReadOut, type ShownSeries } from './shown-series.ts'

/** What of a report is worth a sentence: the last finished period, in words' parts. */
export interface Finding {
  period: number
  value: string
  previous: { period: number; change: Change } | undefined
  yearBefore: { start: string; change: Change } | undefined
  /** What the largest label value gave, in whole per cent. */
  largest: { key: string; percent: number } | undefined
}

/** @returns undefined where nothing was said, or there is no total to say it of */
export function findingOf(
  report: Report,
  series: readonly ShownSeries[],
  changeOf: (value: string | null | undefined, base: string | null | undefined) => Change | undefined,
): Finding | undefined {
  const { totals, periods, year_before } = report
  const period = periodReadOut(report)
  const value = totals?.[period]
  if (value == null || periods[period]?.finished !== true) return undefined
  const previous = changeOf(value, totals?.[period - 1])
  const year = changeOf(value, year_before?.totals?.[period])
  const start = year_before?.starts[period]
  return {
    period,
    value,
    previous: previous && { period: period - 1, change: previous },
    yearBefore: year !== undefined && start != null ? { start, change: year } : undefined,
    largest: report.combines === 'sum' ? largestOf(series, period, value) : undefined,
  }
}

function largestOf(series: readonly ShownSeries[], period: number, total: string): Finding['largest'] {
  const named = series.flatMap(({ key, kind, values }) => {
    const value = values[period]
    return kind === 'value' && key !== null && value != null ? [{ key, value }] : []
  })
  if (named.length < 2 || compare(total, '0') <= 0) return undefined
  const largest = named.reduce((a, b) => (compare(b.value, a.value) > 0 ? b : a))
  const percent = Math.round(ratio(largest.value, total) * 100)
  return percent > 0 && percent <= 100 ? { key: largest.key, percent } : undefined
}

/** What became known between an instant and today, period by period. */
export interface VintageDifference {
  /** Periods of which something was known then, and which have another total today. */
  changed: number
  /** By how much, all of them together; undefined where totals do not add. */
  by: string | undefined
  /** Periods of which nothing was known then, and something is today. */
  unknown: number
}

export function vintageDifference(
  { totals, vintage_today, combines }: Report,
  addAll: (values: readonly string[]) => string,
): VintageDifference | undefined {
  const today = vintage_today?.totals
  if (totals === null || today == null) return undefined
  const differences: string[] = []
  let unknown = 0
  totals.forEach((then, index) => {
    const now = today[index] ?? null
    if (then === null) unknown += now === null ? 0 : 1
    else if (now === null || compare(then, now) !== 0) differences.push(subtract(now ?? '0', then))
  })
  return {
    changed: differences.length,
    by: combines === 'sum' && differences.length > 0 ? addAll(differences) : undefined,
    unknown,
  }
}
