import { spreadsheetText } from '../../../src/csv/spreadsheet-text.ts'
import { compare } from '../decimals/decimal.ts'
import type { Report } from './report-queries.ts'
import type { ShownSeries } from './shown-series.ts'
import type { Values } from './chart-model.ts'

/** A column of figures. */
export interface FigureColumn {
  /** In addresses: what it is sorted by. */
  key: string
  name: string
  values: Values
  total: string | null
  /** Its figures open their trace: of all, or of one series. */
  traced: 'all' | { of: string } | undefined
  kind: 'series' | 'all' | 'yearBefore' | 'today'
}

/** The columns of a report, as its table, its copy and its file have them. */
export function figureColumns(
  report: Report,
  series: readonly ShownSeries[],
  names: {
    series: (series: ShownSeries) => string
    all: string
    yearBefore: string
    today: string
  },
): FigureColumn[] {
  const { totals, row_total, year_before, vintage_today } = report
  const isSingle = series.length === 1 && series[0]!.kind === 'all'
  const columns: FigureColumn[] = isSingle
    ? []
    : series.map((each) => ({
        key: each.id ?? each.kind,
        name: names.series(each),
        values: each.values,
        total: each.rowTotal,
        traced: each.id === undefined ? undefined : { of: each.id },
        kind: 'series',
      }))
  if (totals !== null) {
    columns.push({
      key: 'all',
      name: names.all,
      values: totals,
      total: row_total,
      traced: 'all',
      kind: 'all',
    })
  }
  for (const [kind, name, further] of [
    ['yearBefore', names.yearBefore, year_before],
    ['today', names.today, vintage_today],
  ] as const) {
    if (further?.totals == null) continue
    columns.push({
      key: kind,
      name,
      values: further.totals,
      total: further.row_total,
      traced: undefined,
      kind,
    })
  }
  return columns
}

/** Places of periods in the order of the address: the latest first unless it says otherwise. What has no figure comes last. */
export function sortedPeriods(
  periods: readonly { start: string }[],
  columns: readonly FigureColumn[],
  sort = '-period',
): number[] {
  const isDown = sort.startsWith('-')
  const key = isDown ? sort.slice(1) : sort
  const places = [...periods.keys()]
  const values = columns.find((column) => column.key === key)?.values
  if (values === undefined) return isDown || key !== 'period' ? places.toReversed() : places
  return places.toSorted((a, b) => {
    const [left, right] = [values[a] ?? null, values[b] ?? null]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return isDown ? compare(right, left) : compare(left, right)
  })
}

/**
 * The table as text for pasting into a spreadsheet: texts as in the file; every digit, without groups of thousands; a period
 * without a value is an empty cell.
 *
 * @param point the decimal mark of the page's language
 */
export function figuresText(
  report: Report,
  columns: readonly FigureColumn[],
  places: readonly number[],
  point: ',' | '.',
  periodName: string,
): string {
  const lines = places.map((place) => [
    report.periods[place]!.start,
    ...columns.map(({ values }) => values[place]?.replace('.', point) ?? ''),
  ])
  const head = [periodName, ...columns.map(({ name }) => name)].map(spreadsheetText)
  return [head, ...lines].map((cells) => cells.join('\t')).join('\n')
}
