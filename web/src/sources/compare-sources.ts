import type { Declaration, Field, Metric, SourceBody } from './declaration.ts'

/** A source as it is, was, or would be. Settings are missing where only versions are compared. */
export type Side = Declaration & Partial<Pick<SourceBody, 'name' | 'system_kind' | 'channel' | 'format'>>

const settings = ['name', 'system_kind', 'channel', 'format', 'delivers', 'event_time'] as const
export type Setting = (typeof settings)[number]

/** One thing of both sides, or of only one. */
export type Difference = { changed: boolean } & (
  | { what: Setting; left: string | null; right: string | null }
  | { what: 'field'; name: string; left: Field | undefined; right: Field | undefined }
  | { what: 'metric'; name: string; left: Metric | undefined; right: Metric | undefined }
)

/** The names of both sides, in the order of the right one, followed by those of only the left one. */
function joinNames<Item>(
  left: readonly Item[],
  right: readonly Item[],
  toName: (item: Item) => string,
): string[] {
  return [...new Set([...right, ...left].map(toName))]
}

/** A metric's members in a fixed order, to compare them. */
function toText(metric: Metric | undefined): string | undefined {
  if (metric === undefined) return undefined
  const conditions = metric.filters.map((filter) => [
    filter.field,
    filter.comparison,
    filter.comparison === 'in' ? filter.values : filter.value,
  ])
  const { aggregation, field, times, group_by, period } = metric
  return JSON.stringify([aggregation, field, times, conditions, group_by, period])
}

/** Two sides of a source, item by item. */
export function compareSources(left: Side, right: Side): Difference[] {
  const rows: Difference[] = settings.flatMap((what) => {
    const [before, after] = [left[what], right[what]]
    if (before === undefined || after === undefined) return []
    return [{ what, left: before, right: after, changed: before !== after }]
  })
  for (const name of joinNames(left.fields, right.fields, (field) => field.name)) {
    const [before, after] = [left, right].map(({ fields }) => fields.find((field) => field.name === name))
    const changed = before?.type !== after?.type || before?.personal !== after?.personal
    rows.push({ what: 'field', name, left: before, right: after, changed })
  }
  for (const name of joinNames(left.metrics, right.metrics, ({ metric }) => metric)) {
    const [before, after] = [left, right].map(({ metrics }) => metrics.find(({ metric }) => metric === name))
    rows.push({ what: 'metric', name, left: before, right: after, changed: toText(before) !== toText(after) })
  }
  return rows
}

/** Why a save creates a new version. */
export function getReasons(before: Declaration, after: Declaration) {
  const rows = compareSources(before, after).filter(({ changed }) => changed)
  const fields = rows.filter((row) => row.what === 'field')
  const pick = (picks: (row: (typeof fields)[number]) => boolean): string[] =>
    fields.filter(picks).map(({ name }) => name)
  return {
    /** Names of fields. */
    added: pick(({ left }) => left === undefined),
    removed: pick(({ right }) => right === undefined),
    changed: pick(({ left, right }) => left !== undefined && right !== undefined),
    eventTime: rows.some(({ what }) => what === 'event_time'),
    delivers: rows.some(({ what }) => what === 'delivers'),
    metrics: rows.some(({ what }) => what === 'metric'),
    /** Only the order of something differs. */
    order: rows.length === 0,
  }
}
