import { spreadsheetText } from '../../../../src/formats/csv/spreadsheet-text.ts'
import { compare, getSign, percentChange, percentOf, subtract } from '../../decimals/decimal.ts'
import type { Values } from '../chart/chart-model.ts'
import type { Report } from '../report-queries.ts'
import type { ColumnName } from '../report-search.ts'
import type { SeriesYear, ShownSeries } from '../shown-series.ts'

/** A column of figures. */
export interface FigureColumn {
  /** Its name in addresses, for sorting. */
  key: string
  name: string
  part: ColumnName
  values: Values
  total: string | null
  /** The same over the periods with a total in both years. */
  compared: string | null
  /** Its figures open their trace: of all, or of one series. */
  traced: 'all' | { of: string } | undefined
  kind: 'series' | 'all' | 'yearBefore' | 'today' | 'target'
  /** Left out on a phone, until columns are chosen. */
  wideOnly: boolean
  /** Of what a change or share is computed: the figures, and what they are compared with. */
  operands?: readonly [Values, Values]
}

interface Names {
  series: (series: ShownSeries) => string
  all: string
  yearBefore: string
  today: string
  /** A part of a series, or of all together. */
  part: (part: Exclude<ColumnName, 'figure'>, series?: string) => string
}

/** What the columns of a series or of all together are made of. */
interface ColumnSource {
  key: string
  /** Undefined for all together. */
  name: string | undefined
  kind: 'series' | 'all'
  traced: FigureColumn['traced']
  values: Values
  total: string | null
  year: SeriesYear
  wideOnly: boolean
}

/** The columns of a report in its table and its copy. */
export function createFigureColumns(
  report: Report,
  series: readonly ShownSeries[],
  names: Names,
  chosen?: readonly ColumnName[],
): FigureColumn[] {
  const { totals, row_total, year_before, vintage_today } = report
  const isSingle = series.length === 1 && series[0]!.kind === 'all'
  const sources = (isSingle ? [] : series).map((each): ColumnSource => ({
    key: each.id ?? each.kind,
    name: names.series(each),
    kind: 'series',
    traced: each.id === undefined ? undefined : { of: each.id },
    values: each.values,
    total: each.rowTotal,
    year: each.yearBefore,
    wideOnly: chosen === undefined,
  }))
  const columns = sources.flatMap((each) => toColumns(report, each, names, chosen ?? ['figure']))
  if (totals !== null) {
    const year = year_before?.totals == null ? null : { ...year_before, values: year_before.totals }
    const all = {
      key: 'all',
      name: undefined,
      kind: 'all',
      traced: 'all',
      values: totals,
      wideOnly: false,
    } as const
    const parts = toColumns(report, { ...all, total: row_total, year }, names, chosen ?? ['figure', 'before'])
    // A phone has room for then and now side by side.
    const leavesOut = vintage_today?.totals != null && chosen === undefined
    columns.push(...parts.map((each) => ({ ...each, wideOnly: leavesOut && each.part === 'before' })))
  }
  if (vintage_today?.totals != null) {
    const { totals: values, row_total: total } = vintage_today
    const today = { key: 'today', name: names.today, part: 'figure', kind: 'today' } as const
    columns.push({ ...today, values, total, compared: null, traced: undefined, wideOnly: false })
  }
  return columns
}

function toColumns(
  { totals, row_total: rowTotal, combines }: Report,
  { key, name, kind, traced, values, total, year, wideOnly }: ColumnSource,
  names: Names,
  parts: readonly ColumnName[],
): FigureColumn[] {
  const figure = {
    key,
    name: name ?? names.all,
    part: 'figure',
    values,
    total,
    kind,
    traced,
    wideOnly,
  } as const
  const sums = [year?.compared_total ?? null, year?.row_total ?? null] as const
  const compare = (
    part: 'before' | 'change' | 'percent',
    count: (value: string | null, base: string | null) => string | null | undefined,
  ): FigureColumn[] => {
    if (year === null) return []
    const isAll = kind === 'all' && part === 'before'
    return [
      {
        key: isAll ? 'yearBefore' : `${part}~${key}`,
        name: isAll ? names.yearBefore : names.part(part, name),
        part,
        values: values.map((value, index) => count(value, year.values[index] ?? null) ?? null),
        total: null,
        compared: count(...sums) ?? null,
        traced: undefined,
        kind: isAll ? 'yearBefore' : kind,
        wideOnly,
        ...(part !== 'before' && { operands: [values, year.values] as const }),
      },
    ]
  }
  const made = {
    figure: (): FigureColumn[] => [{ ...figure, compared: sums[0] }],
    before: () => compare('before', (_value, base) => base),
    change: () => compare('change', both(subtract)),
    percent: () => compare('percent', both(percentChange)),
    share: (): FigureColumn[] => {
      if (kind === 'all' || totals === null || combines !== 'sum') return []
      const share = both(percentOf)
      return [
        {
          ...figure,
          key: `share~${key}`,
          name: names.part('share', name),
          part: 'share',
          values: values.map((value, index) => share(value, totals[index] ?? null) ?? null),
          total: share(total, rowTotal) ?? null,
          compared: null,
          traced: undefined,
          operands: [values, totals],
        },
      ]
    },
  }
  return parts.flatMap((part): FigureColumn[] => made[part]())
}

/** Computes only where both are there. */
function both(count: (a: string, b: string) => string | undefined) {
  return (a: string | null, b: string | null) => (a === null || b === null ? undefined : count(a, b))
}

/** Why a change, a percentage or a share has no value. */
export function whyMissing({ part, operands }: FigureColumn, index: number) {
  const [value, base] = [operands?.[0][index] ?? null, operands?.[1][index] ?? null]
  if (value === null) return 'value'
  if (base === null) return part === 'share' ? 'total' : 'base'
  return getSign(base) === 0 ? 'zero' : 'negative'
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
