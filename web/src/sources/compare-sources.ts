import type { Declaration, Field, Metric } from './draft.ts'

/** A source as it is, was, or would be. Settings are left out where only versions are compared. */
export interface Side extends Declaration {
  name?: string
  system_kind?: string
  delivery_way?: 'push' | 'webhook'
  document_form?: 'json' | 'json_lines' | 'csv' | 'sie' | null
}

/** One thing that both sides say, or only one. */
export type Difference = { changed: boolean } & (
  | { what: 'name' | 'system_kind' | 'event_time'; left: string; right: string }
  | { what: 'delivery_way'; left: 'push' | 'webhook'; right: 'push' | 'webhook' }
  | { what: 'delivers'; left: Declaration['delivers']; right: Declaration['delivers'] }
  | { what: 'document_form'; left: Side['document_form']; right: Side['document_form'] }
  | { what: 'field'; name: string; left: Field | undefined; right: Field | undefined }
  | { what: 'metric'; name: string; left: Metric | undefined; right: Metric | undefined }
)

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** All names of both, in the order of the right side; what only the left one has comes after. */
function bothNames<Item>(
  left: readonly Item[],
  right: readonly Item[],
  nameOf: (item: Item) => string,
): string[] {
  return [...new Set([...right, ...left].map(nameOf))]
}

/** A metric with its members in one order, so that two that say the same are equal. */
function ordered({ metric, aggregation, field, times, filters, group_by, period }: Metric): unknown[] {
  const conditions = filters.map((filter) => [
    filter.field,
    filter.comparison,
    filter.comparison === 'in' ? filter.values : filter.value,
  ])
  return [metric, aggregation, field, times, conditions, group_by, period]
}

/** Two sides of a source, thing by thing. */
export function compareSources(left: Side, right: Side): Difference[] {
  const rows: Difference[] = []
  if (left.name !== undefined && right.name !== undefined) {
    rows.push({ what: 'name', left: left.name, right: right.name, changed: left.name !== right.name })
  }
  if (left.system_kind !== undefined && right.system_kind !== undefined) {
    const [before, after] = [left.system_kind, right.system_kind]
    rows.push({ what: 'system_kind', left: before, right: after, changed: before !== after })
  }
  if (left.delivery_way !== undefined && right.delivery_way !== undefined) {
    const [before, after] = [left.delivery_way, right.delivery_way]
    rows.push({ what: 'delivery_way', left: before, right: after, changed: before !== after })
  }
  if (left.document_form !== undefined && right.document_form !== undefined) {
    const [before, after] = [left.document_form, right.document_form]
    rows.push({ what: 'document_form', left: before, right: after, changed: before !== after })
  }
  rows.push(
    {
      what: 'delivers',
      left: left.delivers,
      right: right.delivers,
      changed: left.delivers !== right.delivers,
    },
    {
      what: 'event_time',
      left: left.event_time,
      right: right.event_time,
      changed: left.event_time !== right.event_time,
    },
  )
  for (const name of bothNames(left.fields, right.fields, (field) => field.name)) {
    const [before, after] = [left, right].map(({ fields }) => fields.find((field) => field.name === name))
    const changed = before?.type !== after?.type || before?.personal !== after?.personal
    rows.push({ what: 'field', name, left: before, right: after, changed })
  }
  for (const name of bothNames(left.metrics, right.metrics, ({ metric }) => metric)) {
    const [before, after] = [left, right].map(({ metrics }) => metrics.find(({ metric }) => metric === name))
    const changed = !isEqual(before && ordered(before), after && ordered(after))
    rows.push({ what: 'metric', name, left: before, right: after, changed })
  }
  return rows
}

/** Why a save makes a new version, in short: what is otherwise in the declaration. */
export interface Reasons {
  added: string[]
  removed: string[]
  changed: string[]
  eventTime: boolean
  delivers: boolean
  metrics: boolean
  /** Only the order of something is another. */
  order: boolean
}

export function reasonsOf(before: Declaration, after: Declaration): Reasons {
  const rows = compareSources(before, after).filter(({ changed }) => changed)
  const fields = rows.filter((row) => row.what === 'field')
  const reasons = {
    added: fields.filter(({ left }) => left === undefined).map(({ name }) => name),
    removed: fields.filter(({ right }) => right === undefined).map(({ name }) => name),
    changed: fields
      .filter(({ left, right }) => left !== undefined && right !== undefined)
      .map(({ name }) => name),
    eventTime: rows.some(({ what }) => what === 'event_time'),
    delivers: rows.some(({ what }) => what === 'delivers'),
    metrics: rows.some(({ what }) => what === 'metric'),
  }
  return { ...reasons, order: rows.length === 0 }
}
