import { spreadsheetText } from '../../../../src/formats/csv/spreadsheet-text.ts'
import { compare } from '../../decimals/decimal.ts'
import type { Values } from '../chart/chart-model.ts'
import type { Report } from '../report-queries.ts'
import type { ShownSeries } from '../shown-series.ts'

/** A column of figures. */
export interface FigureColumn {
  /** Its name in addresses, for sorting. */
  key: string
  name: string
  values: Values
  total: string | null
  /** Its figures open their trace: of all, or of one series. */
  traced: 'all' | { of: string } | undefined
  kind: 'series' | 'all' | 'yearBefore' | 'today'
}

/** The columns of a report in its table and its copy. */
export function createFigureColumns(
  { totals, row_total, year_before, vintage_today }: Report,
  series: readonly ShownSeries[],
  names: { series: (series: ShownSeries) => string; all: string; yearBefore: string; today: string },
): FigureColumn[] {
  const isSingle = series.length === 1 && series[0]!.kind === 'all'
  const columns = (isSingle ? [] : series).map((each): FigureColumn => ({
    key: each.id ?? each.kind,
    name: names.series(each),
    values: each.values,
    total: each.rowTotal,
    traced: each.id === undefined ? undefined : { of: each.id },
    kind: 'series',
  }))
  const further = [
    { kind: 'all', given: { totals, row_total }, traced: 'all' },
    { kind: 'yearBefore', given: year_before, traced: undefined },
    { kind: 'today', given: vintage_today, traced: undefined },
  ] as const
  for (const { kind, given, traced } of further) {
    if (given?.totals == null) continue
    columns.push({ key: kind, name: names[kind], values: given.totals, total: given.row_total, traced, kind })
  }
  return columns
}

/** The indexes of periods in the order of the address, by default the latest first. Those without a figure come last. */
export function sortPeriods(
  periods: readonly { start: string }[],
  columns: readonly FigureColumn[],
  sort = '-period',
): number[] {
  const isDown = sort.startsWith('-')
  const key = isDown ? sort.slice(1) : sort
  const indexes = [...periods.keys()]
  const values = columns.find((column) => column.key === key)?.values
  if (values === undefined) return isDown || key !== 'period' ? indexes.toReversed() : indexes
  return indexes.toSorted((a, b) => {
    const [left, right] = [values[a] ?? null, values[b] ?? null]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return isDown ? compare(right, left) : compare(left, right)
  })
}

/**
 * The table as text to paste into a spreadsheet: with every digit, without thousands separators, and an empty cell for a period
 * without a figure. Where a period is unfinished, a last column says so.
 *
 * @param point the decimal mark of the page's language
 */
export function toSpreadsheet(
  report: Report,
  columns: readonly FigureColumn[],
  indexes: readonly number[],
  point: ',' | '.',
  words: { period: string; unfinished: string; yes: string },
): string {
  const isMarked = indexes.some((index) => !report.periods[index]!.finished)
  const lines = indexes.map((index) => [
    report.periods[index]!.start,
    ...columns.map(({ values }) => values[index]?.replace('.', point) ?? ''),
    ...(isMarked ? [report.periods[index]!.finished ? '' : spreadsheetText(words.yes)] : []),
  ])
  const names = [words.period, ...columns.map(({ name }) => name), ...(isMarked ? [words.unfinished] : [])]
  const head = names.map(spreadsheetText)
  return [head, ...lines].map((cells) => cells.join('\t')).join('\n')
}
