import type { ContributedValue } from '../../aggregations/aggregation-definition.ts'
import type { AggregatedMetric } from './aggregated-metric.ts'
import { formatDay } from '../../../formats/values/period.ts'

/** What one delivery contributes to one cell. Whether they are test or production cells is known from the delivery. */
export interface Contribution extends ContributedValue {
  metric: string
  /** First day of the period, `YYYY-MM-DD`. */
  periodStart: string
  /** A JSON object of the labels in its canonical form: no white space, keys in code point order. */
  labels: string
  /** Rows of the delivery behind the value. */
  rows: number
}

/** A period in which a delivery has an accepted row, whether or not the metric counts it. */
export interface Touched {
  metric: string
  periodStart: string
}

/** What a delivery contributes to one cell of a metric. */
export function toContribution(aggregated: AggregatedMetric, cell: number): Contribution {
  const contribution = {
    metric: aggregated.metric,
    periodStart: formatDay(aggregated.periods.start(aggregated.getPeriod(cell))),
    labels: aggregated.getLabels(cell),
    rows: aggregated.countRows(cell),
    ...aggregated.cellValue(cell),
  }
  const distinct = aggregated.distinct(cell)
  return distinct === undefined ? contribution : { ...contribution, distinct }
}
