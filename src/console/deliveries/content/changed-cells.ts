/** The cells that a delivery's rows add to, aggregated once more from its content: pure. */
import type { Format } from '../../../engine/formats/formats.ts'
import type { AggregatedMetric } from '../../../engine/parsing/aggregate/aggregated-metric.ts'
import { aggregateDelivery } from '../../../engine/parsing/decode/aggregate-delivery.ts'
import { compilePlan, chooseEventTime, type Plan } from '../../../engine/parsing/plan/compile-plan.ts'
import type { Aggregation } from '../../../engine/aggregations/aggregations.ts'
import type { Field, Metric } from '../../../engine/declarations/declaration.ts'
import { byCodePoint } from '../../../formats/values/by-code-point.ts'
import { formatDay, type Period } from '../../../formats/values/period.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'

/** What a delivery is aggregated by: its own version's fields, and the declaration of the current projection. */
export interface AggregatingTerms {
  fields: Field[]
  eventTime: string
  projectionEventTime: string
  metrics: Metric[]
  timeZone: string
  distinctSalt: Uint8Array
}

export interface ChangedCell {
  metric: string
  aggregation: Aggregation
  period: Period
  /** `YYYY-MM-DD`. */
  periodStart: string
  /** Canonical JSON. */
  labels: string
}

export interface ChangedCells {
  /** One page: newest period first, then by metric and labels. */
  cells: ChangedCell[]
  /** Over all pages. */
  count: number
  /** The newest periods with an accepted row, at most `touchedMax`, whether or not a metric counts it. */
  touched: TouchedPeriod[]
}

export interface TouchedPeriod {
  metric: string
  /** `YYYY-MM-DD`. */
  periodStart: string
}

/** Newest periods of a statement that are searched for samples that it removed. */
const touchedMax = 1_000

/** Cells of one metric and period. */
interface CellGroup {
  aggregated: AggregatedMetric
  day: number
  cells: number[]
}

/**
 * One page of the cells that a delivery contributes to, from `offset` on. None if the content is unreadable.
 *
 * Computed from the content, since contributions are indexed by cell: an index by delivery would make every parse slower,
 * for a page that is rarely opened.
 */
export function findChangedCells(
  content: Uint8Array,
  format: Format,
  terms: AggregatingTerms,
  { offset, limit }: { offset: number; limit: number },
): ChangedCells {
  const { metrics } = terms
  const result = aggregateDelivery(toPlan(terms), content, format)
  if (result.state === 'unreadable') return { cells: [], count: 0, touched: [] }
  const groups = result.metrics.flatMap(toCellGroups)
  groups.sort((a, b) => b.day - a.day || byCodePoint(a.aggregated.metric, b.aggregated.metric))

  const cells: ChangedCell[] = []
  let count = 0
  for (const { aggregated, day, cells: ofGroup } of groups) {
    const from = Math.max(0, offset - count)
    const to = offset + limit - count
    if (from < ofGroup.length && to > 0) {
      const { metric, aggregation } = aggregated
      const period = metrics.find((each) => each.metric === metric)!.period
      // Labels are built only for the groups of this page.
      const labels = ofGroup.map((cell) => aggregated.getLabels(cell)).toSorted(byCodePoint)
      for (const each of labels.slice(from, to)) {
        cells.push({ metric, aggregation, period, periodStart: formatDay(day), labels: each })
      }
    }
    count += ofGroup.length
  }
  return { cells, count, touched: touchedPeriods(result.metrics) }
}

/** The plan by which the worker aggregates a delivery of these terms. */
export function toPlan({
  fields,
  eventTime,
  projectionEventTime,
  metrics,
  timeZone,
  distinctSalt,
}: AggregatingTerms): Plan {
  const own = { fields, event_time: eventTime }
  const shape = { fields, event_time: chooseEventTime(own, projectionEventTime) }
  return compilePlan(shape, metrics, new TimeZone(timeZone), Buffer.from(distinctSalt))
}

function touchedPeriods(metrics: readonly AggregatedMetric[]): TouchedPeriod[] {
  return metrics
    .flatMap(({ metric, periods }) =>
      Array.from({ length: periods.size }, (_, number) => ({ metric, day: periods.start(number) })),
    )
    .toSorted((a, b) => b.day - a.day)
    .slice(0, touchedMax)
    .map(({ metric, day }) => ({ metric, periodStart: formatDay(day) }))
}

function toCellGroups(aggregated: AggregatedMetric): CellGroup[] {
  const byPeriod = new Map<number, number[]>()
  for (let cell = 0; cell < aggregated.cells; cell++) {
    const period = aggregated.getPeriod(cell)
    const cells = byPeriod.get(period)
    if (cells === undefined) byPeriod.set(period, [cell])
    else cells.push(cell)
  }
  return [...byPeriod].map(([period, cells]) => ({
    aggregated,
    day: aggregated.periods.start(period),
    cells,
  }))
}
