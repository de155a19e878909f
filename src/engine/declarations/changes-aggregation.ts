import { isDeepStrictEqual } from 'node:util'
import type { Declaration } from './declaration.ts'

/** The types of the fields that the metrics read: another type parses the same delivery differently. */
function typesRead({ fields, metrics }: Declaration): (readonly [string, string])[] {
  const read = new Set(
    metrics.flatMap(({ field, times, filters, group_by }) => {
      return [field, times, ...filters.map((filter) => filter.field), ...group_by]
    }),
  )
  return fields
    .filter(({ name }) => read.has(name))
    .map(({ name, type }) => [name, type] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Whether the source has to be rebuilt [fold.change]: other metrics, another event time,
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
