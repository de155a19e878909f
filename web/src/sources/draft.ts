import type { ApiRequest, ApiResponse } from '../api/call-api.ts'
import { valuesOf } from './filter-values.ts'

export type SourceBody = ApiRequest<'POST /console/companies/{company_id}/sources'>['body']
export type Declaration =
  ApiRequest<'POST /console/companies/{company_id}/sources/preview'>['body']['declaration']
export type Field = Declaration['fields'][number]
export type FieldType = Field['type']
export type Metric = Declaration['metrics'][number]
export type Aggregation = Metric['aggregation']
export type Period = Metric['period']
type Filter = Metric['filters'][number]
export type Comparison = Filter['comparison']

type Shown = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}'>
export type Source = Shown['source']
export type ShapeVersion = Shown['versions'][number]
/** A source as it is now, with its newest version. */
export interface SavedSource {
  source: Source
  version: ShapeVersion
}

export const fieldTypes: readonly FieldType[] = ['timestamp', 'number', 'text', 'bool']
export const aggregations: readonly Aggregation[] = ['sum', 'count', 'count_distinct', 'min', 'max', 'last']
export const periods: readonly Period[] = ['day', 'week', 'month']
export const comparisons: readonly Comparison[] = ['=', '≠', '<', '≤', '>', '≥', 'in']

/** A field as it is being written. */
export interface DraftField extends Field {
  /** What the page tells it by, since its name may be empty or that of another one for a while. */
  id: number
}

export interface DraftFilter {
  id: number
  field: string
  comparison: Comparison
  /** Of `in`: a value a line. */
  value: string
  /** Each value is written as JSON, since one of them has a line break, which nothing else could be told from. */
  quoted?: true
}

export interface DraftMetric {
  id: number
  metric: string
  aggregation: Aggregation
  /** Empty: none. */
  field: string
  times: string
  filters: DraftFilter[]
  group_by: string[]
  period: Period
}

/** A source as it is being written. It may be anything that was typed. */
export interface Draft {
  /** `revision` of the source that it began from; null: it is not made yet. */
  revision: number | null
  /** The version that it began from. */
  shape_version: number | null
  name: string
  system_kind: string
  delivery_way: 'push' | 'webhook'
  document_form: NonNullable<SourceBody['document_form']> | ''
  fields: DraftField[]
  event_time: string
  delivers: Declaration['delivers'] | ''
  metrics: DraftMetric[]
  /** The next `id`. */
  next: number
}

export const emptyDraft: Draft = {
  revision: null,
  shape_version: null,
  name: '',
  system_kind: '',
  delivery_way: 'push',
  document_form: '',
  fields: [],
  event_time: '',
  delivers: '',
  metrics: [],
  next: 1,
}

/** What a source says now, to be changed. */
export function draftOf({ source, version }: SavedSource): Draft {
  let next = 1
  return {
    revision: source.revision,
    shape_version: version.shape_version,
    name: source.name,
    system_kind: source.system_kind,
    delivery_way: source.delivery_way,
    document_form: source.document_form ?? '',
    fields: version.fields.map(({ name, type, personal }) => ({ id: next++, name, type, personal })),
    event_time: version.event_time,
    delivers: version.delivers,
    metrics: version.metrics.map(
      ({ metric, aggregation, field = '', times = '', filters, group_by, period }) => ({
        id: next++,
        metric,
        aggregation,
        field,
        times,
        filters: filters.map((filter) => ({
          id: next++,
          field: filter.field,
          comparison: filter.comparison,
          ...writtenOf(filter),
        })),
        group_by: [...group_by],
        period,
      }),
    ),
    next,
  }
}

/** A filter's values as they are written in the form. */
function writtenOf(filter: Filter): Pick<DraftFilter, 'value' | 'quoted'> {
  const values = filter.comparison === 'in' ? filter.values : [filter.value]
  if (!values.some((value) => /[\r\n]/.test(value))) return { value: values.join('\n') }
  return { value: values.map((value) => JSON.stringify(value)).join('\n'), quoted: true }
}

function filterOf(filter: DraftFilter): Filter {
  const { field, comparison } = filter
  const values = valuesOf(filter).map((value) => value ?? '')
  return comparison === 'in' ? { field, comparison, values } : { field, comparison, value: values[0]! }
}

/** As it is sent: what an aggregation has no use for is left out. */
export function metricOf({
  metric,
  aggregation,
  field,
  times,
  filters,
  group_by,
  period,
}: DraftMetric): Metric {
  return {
    metric,
    aggregation,
    ...(field !== '' && { field }),
    ...(aggregation === 'sum' && times !== '' && { times }),
    filters: filters.map(filterOf),
    group_by,
    period,
  }
}

/** @param draft that {@link findFaults} has nothing against */
export function declarationOf({ fields, event_time, delivers, metrics }: Draft): Declaration {
  return {
    fields: fields.map(({ name, type, personal }) => ({ name, type, personal })),
    event_time,
    metrics: metrics.map(metricOf),
    delivers: delivers === '' ? 'events' : delivers,
  }
}

/** Settings and declaration, as they are saved. */
export function bodyOf(draft: Draft): Required<SourceBody> {
  return {
    name: draft.name.trim(),
    system_kind: draft.system_kind.trim(),
    delivery_way: draft.delivery_way,
    document_form: draft.document_form === '' ? null : draft.document_form,
    ...declarationOf(draft),
  }
}

/** Changes a field. What counts by its name goes on counting by the new one. */
export function changeField(draft: Draft, id: number, change: Partial<Field>): Draft {
  const before = draft.fields.find((field) => field.id === id)!
  const fields = draft.fields.map((field) => (field.id === id ? { ...field, ...change } : field))
  const { name } = change
  const isShared = draft.fields.some((field) => field.id !== id && field.name === before.name)
  if (name === undefined || before.name === '' || isShared) return { ...draft, fields }
  const renamed = (known: string): string => (known === before.name ? name : known)
  return {
    ...draft,
    fields,
    event_time: renamed(draft.event_time),
    metrics: draft.metrics.map((metric) => ({
      ...metric,
      field: renamed(metric.field),
      times: renamed(metric.times),
      filters: metric.filters.map((filter) => ({ ...filter, field: renamed(filter.field) })),
      group_by: metric.group_by.map(renamed),
    })),
  }
}

/** Adds fields at the end; an event time that was not chosen yet is the one proposed. */
export function addFields(draft: Draft, fields: readonly Field[], eventTime: string | null = null): Draft {
  return {
    ...draft,
    fields: [
      ...draft.fields,
      ...fields.map(({ name, type, personal }, index) => ({ id: draft.next + index, name, type, personal })),
    ],
    event_time: draft.event_time === '' ? (eventTime ?? '') : draft.event_time,
    next: draft.next + fields.length,
  }
}

/** A metric that counts nothing yet, of the first known one that the source does not have. */
export function addMetric(draft: Draft, known: readonly { key: string; unit: string }[]): Draft {
  const free = known.find(({ key }) => !draft.metrics.some(({ metric }) => metric === key))
  if (free === undefined) return draft
  const metric: DraftMetric = {
    id: draft.next,
    metric: free.key,
    aggregation: free.unit === 'count' ? 'count_distinct' : 'sum',
    field: '',
    times: '',
    filters: [],
    group_by: [],
    period: 'day',
  }
  return { ...draft, metrics: [...draft.metrics, metric], next: draft.next + 1 }
}

export function changeMetric(draft: Draft, id: number, change: Partial<DraftMetric>): Draft {
  return {
    ...draft,
    metrics: draft.metrics.map((metric) => (metric.id === id ? { ...metric, ...change } : metric)),
  }
}

/** Whether two drafts would be saved as the same. */
export function isSame(a: Draft, b: Draft): boolean {
  return JSON.stringify([bodyOf(a), a.delivers]) === JSON.stringify([bodyOf(b), b.delivers])
}

/** Fields that a metric may add up, or find the smallest, largest or last of. */
export function computedFields(fields: readonly Field[]): Field[] {
  return fields.filter(({ type, personal }) => type === 'number' && !personal)
}
