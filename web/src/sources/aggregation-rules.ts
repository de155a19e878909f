import type { Metric } from './declaration.ts'

type Aggregation = Metric['aggregation']

interface AggregationRules {
  /** What a metric counts: numbers, any values, or rows, with or without a field. */
  counts: 'numbers' | 'values' | 'rows'
  /** Whether a metric may have a second factor. */
  takesTimes: boolean
  /** Whether values of several days add up. */
  adds: boolean
}

/** As the service has them (src/engine/aggregations), in the order of the form. */
export const aggregationRules: Record<Aggregation, AggregationRules> = {
  sum: { counts: 'numbers', takesTimes: true, adds: true },
  count: { counts: 'rows', takesTimes: false, adds: true },
  count_distinct: { counts: 'values', takesTimes: false, adds: false },
  min: { counts: 'numbers', takesTimes: false, adds: false },
  max: { counts: 'numbers', takesTimes: false, adds: false },
  last: { counts: 'numbers', takesTimes: false, adds: false },
}
export const aggregations = Object.keys(aggregationRules) as Aggregation[]
