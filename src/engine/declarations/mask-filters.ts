import type { Filter, Metric } from './declaration.ts'

/** In place of each value that a personal field is compared with. */
const masked = '•••'

/** A metric as everyone with access may see it: without values of personal fields. */
export function maskFilters(metric: Metric, personal: readonly string[]): Metric {
  const filters = metric.filters.map((filter): Filter => {
    if (!personal.includes(filter.field)) return filter
    return 'values' in filter
      ? { ...filter, values: filter.values.map(() => masked) }
      : { ...filter, value: masked }
  })
  return { ...metric, filters }
}
