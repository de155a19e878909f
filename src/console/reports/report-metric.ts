import { invalidArgument } from '../../platform/http/errors/errors.ts'
import type { Combination } from '../../engine/aggregations/aggregation-definition.ts'
import { aggregations } from '../../engine/aggregations/aggregations.ts'
import type { Metric } from '../../engine/declarations/declaration.ts'
import { knownMetrics } from '../../engine/declarations/known-metrics.ts'
import { periods, type Period } from '../../formats/values/period.ts'

/** How values of several periods or labels combine into one; null if they cannot. */
export function getCombination({ aggregation }: Metric): Combination | null {
  return aggregations[aggregation].combines
}

/** The periods that a metric may be read by: its own, and longer ones if days combine. */
export function listGrains(metric: Metric): Period[] {
  // Weeks do not combine to months.
  return metric.period === 'day' && getCombination(metric) !== null ? [...periods] : [metric.period]
}

/** The period of a card. */
export function getCardGrain(metric: Metric): Period {
  return metric.period === 'day' && getCombination(metric) === 'sum' ? 'month' : metric.period
}

/** @throws 400 with field `grain` */
export function checkGrain(metric: Metric, grain: Period = metric.period): Period {
  const grains = listGrains(metric)
  if (grains.includes(grain)) return grain
  throw invalidArgument(`This metric is read by ${grains.join(', ')}.`, 'grain')
}

/** The name and the unit of a metric. */
export function describeMetric({ metric }: Metric): { name: string; unit: string } {
  const known = knownMetrics.find(({ key }) => key === metric)
  return { name: known?.name ?? metric, unit: known?.unit ?? '' }
}

/** Values by label: those that are included, where an absent label includes all; or those that are excluded. */
export type LabelFilter = ReadonlyMap<string, readonly string[]>

/** The labels that are not restricted to one value. */
export function openLabels(metric: Metric, filter: LabelFilter): string[] {
  return metric.group_by.filter((label) => filter.get(label)?.length !== 1)
}
