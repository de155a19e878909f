import { hash } from 'node:crypto'
import type { Aggregation, Comparison, FieldType, Filter, Metric, Shape } from '../../sources/declaration.ts'
import { periods } from '../../values/period.ts'
import { byCodePoint } from '../../values/by-code-point.ts'
import { type FieldValue, labelCharactersMax, readFieldValue } from '../../sources/field-value.ts'
import type { TimeZone } from '../../values/time-zone.ts'
import { bytesPerLabelByte, cellBytes, distinctValueBytes, periodBytes } from './write-allowance.ts'
import { WrittenKeys } from './written-keys.ts'

/** Bytes of a label in JSON: a control character is escaped as six of ASCII. */
const labelJsonBytesMax = 6 * labelCharactersMax

/** What aggregating a delivery needs to know, prepared once for a shape version, the metrics and the time zone. */
export interface Plan {
  fields: PlanField[]
  /** How the names of the fields are written in JSON. */
  keys: WrittenKeys
  /** The event time, an index into `fields`. */
  eventField: number
  metrics: PlanMetric[]
  /** The fields that some metric is grouped by, indexes into `fields`. */
  labelFields: number[]
  /** The most that one row writes, as it is counted (`write-allowance.ts`). */
  rowBytesMax: number
  timeZone: TimeZone
  /** Goes into the hash of every distinct value, so that a hash does not give away what it was made from. */
  salt: Uint8Array
  /** Decides where row keys are looked for. No sender knows it, so none can choose values that are slow to tell apart. */
  seed: number
}

export interface PlanField {
  name: string
  type: FieldType
  /** Some metric computes or compares with the value; otherwise it is only checked. */
  wantsValue: boolean
  /** Some metric tells the values of the field apart. */
  wantsId: boolean
  /** Some metric is grouped by it. */
  isLabel: boolean
}

/** A field's index into the plan's `fields`, or -1 for a field whose value is always missing. */
type FieldIndex = number

export interface PlanMetric {
  metric: string
  aggregation: Aggregation
  /** An index into `periods`. */
  period: number
  /** What is counted; `rows` where it is the rows themselves. */
  counted: FieldIndex | 'rows'
  /** The second factor of a sum of products. */
  times: FieldIndex | undefined
  filters: PlanFilter[]
  /** Sorted by name. `member` is how the name is written before the value in the JSON object of the labels. */
  labels: { field: FieldIndex; member: string }[]
  /** Bytes of the labels' JSON without the values. */
  labelNameBytes: number
}

export interface PlanFilter {
  field: FieldIndex
  comparison: Comparison
  /** What is compared with, read under the field's type: one, or for `in` several. Empty for a field of -1. */
  values: FieldValue[]
}

/**
 * The event time of deliveries written against `shape`, as a declaration reads them whose event time is `declared`
 * [fold.event-time]: the declared one where the shape has it as a timestamp, else the shape's own. So a wrongly chosen
 * event time can be put right for what is stored.
 */
export function eventTimeOf(shape: Shape, declared: string): string {
  const has = shape.fields.some(({ name, type }) => name === declared && type === 'timestamp')
  return has ? declared : shape.event_time
}

/**
 * Prepares the aggregating of deliveries whose rows are checked against `shape`, by the metrics that the source declares now.
 * Each row's day is read from the shape's event time; `eventTimeOf` says which one that is.
 *
 * Where the two differ, nothing is guessed [fold.once]: a field that the shape lacks is a missing value; so is one
 * whose type there does not allow what the metric does with it. A field that was personal in the shape is never
 * returned in a sample, though it may be unmarked by now: as a label or to compute with it is a missing value too.
 */
export function compilePlan(shape: Shape, metrics: Metric[], timeZone: TimeZone, salt: Uint8Array): Plan {
  const fields = shape.fields.map(({ name, type }): PlanField => {
    return { name, type, wantsValue: name === shape.event_time, wantsId: false, isLabel: false }
  })
  const indexes = new Map(fields.map(({ name }, index) => [name, index]))
  const indexOf = (name: string) => indexes.get(name) ?? -1
  const personal = new Set(shape.fields.filter((field) => field.personal).map((field) => field.name))

  const computed = (name: string): FieldIndex => {
    const index = indexOf(name)
    const field = fields[index]
    if (field?.type !== 'number' || personal.has(name)) return -1
    field.wantsValue = true
    return index
  }
  const toldApart = (name: string): FieldIndex => {
    const index = indexOf(name)
    if (index >= 0) wantId(fields[index]!)
    return index
  }
  const label = (name: string): FieldIndex => {
    const index = toldApart(name)
    if (index >= 0) fields[index]!.isLabel = true
    return index
  }

  const compileFilter = (filter: Filter): PlanFilter => {
    const { comparison } = filter
    const missing = { field: -1, comparison, values: [] }
    const index = indexOf(filter.field)
    const field = fields[index]
    if (field === undefined) return missing
    const values: FieldValue[] = []
    for (const text of filter.comparison === 'in' ? filter.values : [filter.value]) {
      const value = readFieldValue(field.type, text, timeZone)
      if (typeof value === 'string') return missing
      values.push(value)
    }
    const byValue = comparison !== 'in' && (field.type === 'number' || field.type === 'timestamp')
    if (byValue) field.wantsValue = true
    else wantId(field)
    return { field: index, comparison, values }
  }

  const compileMetric = (metric: Metric): PlanMetric => {
    const { aggregation, field } = metric
    let counted: FieldIndex | 'rows'
    if (field === undefined) counted = 'rows'
    else if (aggregation === 'count') counted = indexOf(field)
    else counted = aggregation === 'count_distinct' ? toldApart(field) : computed(field)
    const labels = metric.group_by.toSorted(byCodePoint).map((name) => ({
      field: personal.has(name) ? -1 : label(name),
      member: `${JSON.stringify(name)}:`,
    }))
    return {
      metric: metric.metric,
      aggregation,
      period: periods.indexOf(metric.period),
      counted,
      times: metric.times === undefined ? undefined : computed(metric.times),
      filters: metric.filters.map(compileFilter),
      labels,
      // Each member is followed by its value's two quotes and a comma or a brace.
      labelNameBytes: labels.reduce((sum, { member }) => sum + Buffer.byteLength(member) + 3, 1),
    }
  }

  const compiled = metrics.map(compileMetric)
  return {
    fields,
    keys: new WrittenKeys(fields.map(({ name }) => name)),
    eventField: indexOf(shape.event_time),
    metrics: compiled,
    labelFields: [...fields.keys()].filter((index) => fields[index]!.isLabel),
    rowBytesMax: compiled.reduce((sum, { labels, labelNameBytes }) => {
      const labelBytes = labelNameBytes + labels.length * labelJsonBytesMax
      const cell = cellBytes + Math.ceil(bytesPerLabelByte * labelBytes)
      return sum + periodBytes + cell + distinctValueBytes
    }, 0),
    timeZone,
    salt,
    seed: hash('sha256', salt, 'buffer').readInt32LE(),
  }
}

/** Instants are told apart by their values, numbers too, which are always read. */
function wantId(field: PlanField): void {
  field.wantsId = true
  if (field.type === 'timestamp') field.wantsValue = true
}
