import type { Field, Metric } from '../../src/sources/declaration.ts'

/** A declared field; text by default. */
export function field(name: string, type: Field['type'] = 'text'): Field {
  return { name, type, personal: false }
}

/** A metric that counts rows by day, but for what is given. */
export function metric(parts: Partial<Metric>): Metric {
  return {
    metric: 'revenue',
    aggregation: 'count',
    filters: [],
    group_by: [],
    period: 'day',
    ...parts,
  }
}
