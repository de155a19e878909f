import type { AggregatedMetric } from '../../src/engine/parsing/aggregate/aggregated-metric.ts'
import {
  type Contribution,
  toContribution,
  type Touched,
} from '../../src/engine/parsing/aggregate/contribution.ts'
import { formatDay } from '../../src/formats/values/period.ts'

/** Everything that a small delivery says. */
export function toContributions(metrics: readonly AggregatedMetric[]): Contribution[] {
  return metrics.flatMap((aggregated) =>
    Array.from({ length: aggregated.cells }, (_, cell) => toContribution(aggregated, cell)),
  )
}

/** All periods that a small delivery touches. */
export function toTouched(metrics: readonly AggregatedMetric[]): Touched[] {
  return metrics.flatMap(({ metric, periods }) =>
    Array.from({ length: periods.size }, (_, number) => ({
      metric,
      periodStart: formatDay(periods.start(number)),
    })),
  )
}
