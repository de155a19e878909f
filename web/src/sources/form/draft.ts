import { aggregationRules } from '../../api/engine-rules.ts'
import type { Declaration, Field, Filter, Metric, SavedSource, SourceBody } from '../declaration.ts'
import { type DraftFilter, readValues, writeValues } from './filter-values.ts'

/** A field as it is being edited. */
export interface DraftField extends Field {
  /** Identifies it on the page, since its name may be empty or another one's for a while. */
  id: number
}

export interface DraftMetric extends Omit<Metric, 'field' | 'times' | 'filters'> {
  id: number
  /** Empty: none. */
  field: string
  times: string
  filters: DraftFilter[]
}

/** A source as it is being edited, with anything that was typed. */
export interface Draft {
  /** The source's revision that it started from; null for a new source. */
  revision: number | null
  /** The version that it started from. */
  shape_version: number | null
  name: string
  system_kind: string
  channel: NonNullable<SourceBody['channel']>
  format: NonNullable<SourceBody['format']> | ''
  fields: DraftField[]
  event_time: string
  delivers: Declaration['delivers'] | ''
  metrics: DraftMetric[]
  /** The next `id`. */
  next: number
}

/** Changes the current draft. */
export type ChangeDraft = (change: (draft: Draft) => Draft) => void

export const emptyDraft: Draft = {
  revision: null,
  shape_version: null,
  name: '',
  system_kind: '',
  channel: 'push',
  format: '',
  fields: [],
  event_time: '',
  delivers: '',
  metrics: [],
  next: 1,
}

/** A saved source, to be changed. */
export function toDraft({ source, version }: SavedSource): Draft {
  let next = 1
  return {
    revision: source.revision,
    shape_version: version.shape_version,
    name: source.name,
    system_kind: source.system_kind,
    channel: source.channel,
    format: source.format ?? '',
    fields: version.fields.map(({ name, type, personal }) => ({ id: next++, name, type, personal })),
    event_time: version.event_time,
    delivers: version.delivers,
    metrics: version.metrics.map(({ field = '', times = '', ...metric }) => ({
      ...metric,
      id: next++,
      field,
      times,
      filters: metric.filters.map((filter) => ({
        id: next++,
        field: filter.field,
        comparison: filter.comparison,
        ...writeValues(filter.comparison === 'in' ? filter.values : [filter.value]),
      })),
    })),
    next,
  }
}

function toFilter(filter: DraftFilter): Filter {
  const { field, comparison } = filter
  const values = readValues(filter).map((value) => value ?? '')
  return comparison === 'in' ? { field, comparison, values } : { field, comparison, value: values[0]! }
}

/** A metric without the members that its aggregation does not use. */
export function toMetric({
  metric,
  aggregation,
  field,
  times,
  filters,
  group_by,
  period,
}: Omit<DraftMetric, 'id'>): Metric {
  return {
    metric,
    aggregation,
    ...(field !== '' && { field }),
    ...(aggregationRules[aggregation].takesTimes && times !== '' && { times }),
    filters: filters.map(toFilter),
    group_by,
    period,
  }
}

export function toDeclaration({ fields, event_time, delivers, metrics }: Draft): Declaration {
  return {
    fields: fields.map(({ name, type, personal }) => ({ name, type, personal })),
    event_time,
    metrics: metrics.map(toMetric),
    delivers: delivers === '' ? 'events' : delivers,
  }
}

/** Settings and declaration, as they are saved. */
export function toBody(draft: Draft): Required<SourceBody> {
  return {
    name: draft.name.trim(),
    system_kind: draft.system_kind.trim(),
    channel: draft.channel,
    format: draft.format === '' ? null : draft.format,
    ...toDeclaration(draft),
  }
}

/** Changes a field; what refers to it by its name follows a new name. */
export function changeField(draft: Draft, id: number, change: Partial<Field>): Draft {
  const before = draft.fields.find((field) => field.id === id)!
  const fields = draft.fields.map((field) => (field.id === id ? { ...field, ...change } : field))
  const { name } = change
  const isShared = draft.fields.some((field) => field.id !== id && field.name === before.name)
  if (name === undefined || before.name === '' || isShared) return { ...draft, fields }
  const rename = (known: string): string => (known === before.name ? name : known)
  return {
    ...draft,
    fields,
    event_time: rename(draft.event_time),
    metrics: draft.metrics.map((metric) => ({
      ...metric,
      field: rename(metric.field),
      times: rename(metric.times),
      filters: metric.filters.map((filter) => ({ ...filter, field: rename(filter.field) })),
      group_by: metric.group_by.map(rename),
    })),
  }
}

/** Adds fields at the end; a proposed event time is used where none is chosen yet. */
export function addFields(draft: Draft, fields: readonly Field[], eventTime: string | null = null): Draft {
  const added = fields.map(({ name, type, personal }, at) => ({ id: draft.next + at, name, type, personal }))
  return {
    ...draft,
    fields: [...draft.fields, ...added],
    event_time: draft.event_time || (eventTime ?? ''),
    next: draft.next + fields.length,
  }
}

/** Adds a metric at the end. */
export function addMetric(draft: Draft, metric: Omit<DraftMetric, 'id'>): Draft {
  return { ...draft, metrics: [...draft.metrics, { id: draft.next, ...metric }], next: draft.next + 1 }
}

/** Whether two drafts would be saved as the same. */
export function isSame(a: Draft, b: Draft): boolean {
  return JSON.stringify([toBody(a), a.delivers]) === JSON.stringify([toBody(b), b.delivers])
}
