import type { Field, Metric } from '../../src/engine/declarations/declaration.ts'

/** A declared field; text by default. */
export function field(name: string, type: Field['type'] = 'text', personal = false): Field {
  return { name, type, personal }
}

/** By default a count of rows by day. */
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
