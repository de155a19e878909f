import { isDeepStrictEqual } from 'node:util'
import type { Declaration, Metric } from './declaration.ts'

function fieldsOf(metric: Metric): (string | undefined)[] {
  return [metric.field, metric.times, ...metric.filters.map((filter) => filter.field), ...metric.group_by]
}

/** The types of the fields that the metrics read: another type parses the same delivery differently. */
function typesRead({ fields, metrics }: Declaration): (readonly [string, string])[] {
  const read = new Set(metrics.flatMap(fieldsOf))
  return fields
    .filter(({ name }) => read.has(name))
    .map(({ name, type }) => [name, type] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Whether the stored deliveries are to be rebuilt [fold.change]: other metrics, another event time,
 * another mode, or another type of a field that a metric reads. A field that no metric reads changes no sample.
 */
export function changesAggregation(before: Declaration, after: Declaration): boolean {
  return (
    before.delivers !== after.delivers ||
    before.event_time !== after.event_time ||
    !isDeepStrictEqual(before.metrics, after.metrics) ||
    !isDeepStrictEqual(typesRead(before), typesRead(after))
  )
}
