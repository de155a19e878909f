/** The rows of a delivery that count for a figure, aggregated once more from its content as the worker does: pure. */
import type { Format } from '../../../engine/formats/formats.ts'
import { aggregations } from '../../../engine/aggregations/aggregations.ts'
import type { AggregatedMetric } from '../../../engine/parsing/aggregate/aggregated-metric.ts'
import { toContribution } from '../../../engine/parsing/aggregate/contribution.ts'
import { aggregateDelivery } from '../../../engine/parsing/decode/aggregate-delivery.ts'
import { CountedRows } from '../../../engine/parsing/plan/counted-rows.ts'
import { formatDecimal } from '../../../formats/values/decimal.ts'
import { periodStart } from '../../../formats/values/period.ts'
import type { ReportValue, LabelFilter } from '../../values/report-value.ts'
import { toPlan, type AggregatingTerms } from './changed-cells.ts'
import { readShownRows, type RowRequest, type ShownRow } from './shown-rows.ts'

/** What a delivery's rows come to. */
interface Counted {
  /** Their places in `rows`, in their order. */
  places: number[]
  /** An exact decimal; null without any. */
  value: string | null
}

export interface ValueCount {
  rows: CountedRows
  /** All rows of the delivery. */
  rowsTotal: number
  /** First days of the metric's periods within the figure's in which it has an accepted row, counted or not. */
  starts: ReadonlySet<number>
  /** Only in the periods that begin on `starts`; in all of the figure's by default. */
  count(starts?: ReadonlySet<number>): Counted
}

/** Counts a delivery for a figure. A text says why the content is unreadable. */
export function countValue(
  content: Uint8Array,
  format: Format,
  terms: AggregatingTerms,
  figure: ReportValue,
): ValueCount | string {
  const rows = new CountedRows(figure.metric)
  const result = aggregateDelivery({ ...toPlan(terms), counted: rows }, content, format)
  if (result.state === 'unreadable') return result.reason
  const aggregated = result.metrics.find(({ metric }) => metric === figure.metric)!
  const starts = new Set<number>()
  for (let number = 0; number < aggregated.periods.size; number++) {
    const start = aggregated.periods.start(number)
    if (periodStart(figure.grain, start) === figure.firstDay) starts.add(start)
  }
  return {
    rows,
    rowsTotal: result.rowsAccepted + result.rowsRefused,
    starts,
    count: (within = starts) => countWithin(rows, aggregated, figure, within),
  }
}

function countWithin(
  rows: CountedRows,
  aggregated: AggregatedMetric,
  figure: ReportValue,
  starts: ReadonlySet<number>,
): Counted {
  const isOfFigure = new Uint8Array(aggregated.cells)
  const cells: number[] = []
  for (let cell = 0; cell < aggregated.cells; cell++) {
    if (!starts.has(aggregated.periods.start(aggregated.getPeriod(cell)))) continue
    const labels = JSON.parse(aggregated.getLabels(cell)) as Record<string, string>
    if (!isNamed(labels, figure.filter, true) || !isNamed(labels, figure.except, false)) continue
    isOfFigure[cell] = 1
    cells.push(cell)
  }
  const places: number[] = []
  for (let place = 0; place < rows.size; place++) if (isOfFigure[rows.cells[place]!] === 1) places.push(place)
  if (cells.length === 0) return { places, value: null }
  // Where cells do not combine, a figure is a single one.
  const value =
    cells.length === 1
      ? aggregated.cellValue(cells[0]!).value
      : aggregations[aggregated.aggregation].combine(cells.map((cell) => toContribution(aggregated, cell)))
  return { places, value }
}

/** As `matches` of the reports' statements: each label of the filter has one of its values, or none has. */
function isNamed(labels: Record<string, string>, filter: LabelFilter, wanted: boolean): boolean {
  for (const [name, values] of filter) if (values.includes(labels[name] ?? '') !== wanted) return false
  return true
}

export interface ValuePage {
  /** Why the content is unreadable; it then has no rows. */
  reason: string | null
  value: string | null
  rowsCounted: number
  rowsTotal: number
  rows: (ShownRow & { gave: string })[]
  hasMore: boolean
}

/** A page of the rows that count for a figure, with what each gave, and what all of them come to. */
export function readValuePage(
  content: Uint8Array,
  format: Format,
  terms: AggregatingTerms,
  figure: ReportValue,
  request: RowRequest,
): ValuePage {
  const counted = countValue(content, format, terms, figure)
  if (typeof counted === 'string') {
    return { reason: counted, value: null, rowsCounted: 0, rowsTotal: 0, rows: [], hasMore: false }
  }
  const { rows, rowsTotal } = counted
  const { places, value } = counted.count()
  const from = places.findIndex((place) => rows.rows[place]! > request.after)
  const page = from < 0 ? [] : places.slice(from, from + request.limit)
  const byRow = new Map(page.map((place) => [rows.rows[place]!, place]))
  const shown = readShownRows(content, format, { ...request, only: [...byRow.keys()] })
  const last = shown.rows.at(-1)?.row ?? Infinity
  return {
    reason: null,
    value,
    rowsCounted: places.length,
    rowsTotal,
    rows: shown.rows.map((row) => ({ ...row, gave: formatDecimal(rows.gave(byRow.get(row.row)!)) })),
    hasMore: places.length > 0 && rows.rows[places.at(-1)!]! > last,
  }
}
