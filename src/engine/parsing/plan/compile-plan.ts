import { hash } from 'node:crypto'
import { aggregations, type Aggregation } from '../../aggregations/aggregations.ts'
import type { Comparison, Filter, Metric, Shape } from '../../declarations/declaration.ts'
import { periods } from '../../../formats/values/period.ts'
import { byCodePoint } from '../../../formats/values/by-code-point.ts'
import {
  type FieldType,
  type FieldValue,
  labelCharactersMax,
  readFieldValue,
} from '../../fields/field-value.ts'
import type { TimeZone } from '../../../formats/values/time-zone.ts'
import { bytesPerLabelByte, cellBytes, distinctValueBytes, periodBytes } from './write-allowance.ts'
import type { CountedRows } from './counted-rows.ts'
import { WrittenKeys } from './written-keys.ts'

/** The most bytes of a label in JSON: a control character is escaped in six. */
const labelJsonBytesMax = 6 * labelCharactersMax

/** What aggregating a delivery needs, prepared once for a shape version, the metrics and the time zone. */
export interface Plan {
  fields: PlanField[]
  /** How the names of the fields are written in JSON. */
  keys: WrittenKeys
  /** The event time, an index into `fields`. */
  eventField: number
  isEventPersonal: boolean
  metrics: PlanMetric[]
  /** The fields that some metric is grouped by, indexes into `fields`. */
  labelFields: number[]
  /** The most bytes that one row can write (`write-allowance.ts`). */
  rowBytesMax: number
  timeZone: TimeZone
  /** Part of the hash of every distinct value, so that a hash does not reveal its value. */
  salt: Uint8Array
  /** Seeds the hashes of row keys. No sender knows it, so none can choose values that are slow to distinguish. */
  seed: number
  /** Records the rows of one metric. */
  counted?: CountedRows
  /** Collects the numbers of refused rows, from 1, in ascending order. */
  refused?: number[]
}

export interface PlanField {
  name: string
  type: FieldType
  /** Some metric computes or compares with the value; if none does, it is only checked. */
  wantsValue: boolean
  /** Some metric distinguishes the values of the field. */
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
  /** The aggregated field; -1 too if rows themselves are counted. */
  counted: FieldIndex
  /** The second factor, if products are counted. */
  times: FieldIndex | undefined
  /** The fields that a row must have to be counted. */
  needed: { field: FieldIndex; name: string }[]
  filters: PlanFilter[]
  /** Sorted by name. `member` is what precedes the value in the JSON object of the labels. */
  labels: { field: FieldIndex; member: string }[]
  /** Bytes of the labels' JSON without the values. */
  labelNameBytes: number
}

export interface PlanFilter {
  field: FieldIndex
  comparison: Comparison
  /** The values to compare with, parsed as the field's type: one, or several for `in`. Empty if `field` is -1. */
  values: FieldValue[]
}

/**
 * The event time of deliveries sent under `shape`, for a projection whose declaration names `declared`
 * [fold.event-time]: the declared field if the shape has it as a timestamp, otherwise the shape's own. So a wrongly
 * chosen event time can be corrected for stored deliveries too.
 */
export function chooseEventTime(shape: Shape, declared: string): string {
  const has = shape.fields.some(({ name, type }) => name === declared && type === 'timestamp')
  return has ? declared : shape.event_time
}

/**
 * Prepares aggregating deliveries whose rows are checked against `shape`, by the metrics that the source declares now.
 * A row's day is that of the shape's event time (see `chooseEventTime`).
 *
 * Where the two differ, nothing is guessed [fold.once]: a field that the shape lacks is a missing value, and so is one
 * whose type there does not allow what the metric does with it. A field that was personal in the shape never reaches a
 * sample, even if it is unmarked by now: as a label or in a computation it is a missing value too.
 */
export function compilePlan(shape: Shape, metrics: Metric[], timeZone: TimeZone, salt: Uint8Array): Plan {
  const fields = new PlanFields(shape)
  const compiled = metrics.map((metric) => compileMetric(fields, metric, timeZone))
  return {
    fields: fields.all,
    keys: new WrittenKeys(fields.all.map(({ name }) => name)),
    eventField: fields.indexOf(shape.event_time),
    isEventPersonal: shape.fields.some(({ name, personal }) => personal && name === shape.event_time),
    metrics: compiled,
    labelFields: [...fields.all.keys()].filter((index) => fields.all[index]!.isLabel),
    rowBytesMax: compiled.reduce((sum, metric) => sum + getRowBytesMax(metric), 0),
    timeZone,
    salt,
    seed: hash('sha256', salt, 'buffer').readInt32LE(),
  }
}

/** The fields of a shape, and how metrics use them. */
class PlanFields {
  readonly all: PlanField[]
  readonly #indexes: Map<string, number>
  readonly #personal: Set<string>

  constructor(shape: Shape) {
    this.all = shape.fields.map(({ name, type }) => {
      return { name, type, wantsValue: name === shape.event_time, wantsId: false, isLabel: false }
    })
    this.#indexes = new Map(this.all.map(({ name }, index) => [name, index]))
    this.#personal = new Set(shape.fields.filter((field) => field.personal).map((field) => field.name))
  }

  indexOf(name: string): FieldIndex {
    return this.#indexes.get(name) ?? -1
  }

  /** A field whose numbers are computed with. */
  computed(name: string): FieldIndex {
    const index = this.indexOf(name)
    const field = this.all[index]
    if (field?.type !== 'number' || this.#personal.has(name)) return -1
    field.wantsValue = true
    return index
  }

  /** A field whose values are distinguished. */
  distinguished(name: string): FieldIndex {
    const index = this.indexOf(name)
    if (index >= 0) wantId(this.all[index]!)
    return index
  }

  /** A field whose values are labels. */
  label(name: string): FieldIndex {
    if (this.#personal.has(name)) return -1
    const index = this.distinguished(name)
    if (index >= 0) this.all[index]!.isLabel = true
    return index
  }
}

function compileMetric(fields: PlanFields, metric: Metric, timeZone: TimeZone): PlanMetric {
  const labels = metric.group_by.toSorted(byCodePoint).map((name) => ({
    field: fields.label(name),
    member: `${JSON.stringify(name)}:`,
  }))
  const counted = countedIndex(fields, metric)
  const times = metric.times === undefined ? undefined : fields.computed(metric.times)
  const needed: PlanMetric['needed'] = []
  if (metric.field !== undefined) needed.push({ field: counted, name: metric.field })
  if (times !== undefined) needed.push({ field: times, name: metric.times! })
  return {
    metric: metric.metric,
    aggregation: metric.aggregation,
    period: periods.indexOf(metric.period),
    counted,
    times,
    needed,
    filters: metric.filters.map((filter) => compileFilter(fields, filter, timeZone)),
    labels,
    // Each member is followed by its value's two quotes and a comma or a brace.
    labelNameBytes: labels.reduce((sum, { member }) => sum + Buffer.byteLength(member) + 3, 1),
  }
}

function countedIndex(fields: PlanFields, { aggregation, field }: Metric): FieldIndex {
  if (field === undefined) return -1
  switch (aggregations[aggregation].counts) {
    case 'numbers':
      return fields.computed(field)
    case 'values':
      return fields.distinguished(field)
    case 'rows':
      return fields.indexOf(field)
  }
}

function compileFilter(fields: PlanFields, filter: Filter, timeZone: TimeZone): PlanFilter {
  const { comparison } = filter
  const missing = { field: -1, comparison, values: [] }
  const index = fields.indexOf(filter.field)
  const field = fields.all[index]
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

/** The most bytes that one row can write for a metric. */
function getRowBytesMax({ labels, labelNameBytes }: PlanMetric): number {
  const labelBytes = labelNameBytes + labels.length * labelJsonBytesMax
  const cell = cellBytes + Math.ceil(bytesPerLabelByte * labelBytes)
  return periodBytes + cell + distinctValueBytes
}

/** Instants and numbers are distinguished by their values. Those of numbers are always parsed. */
function wantId(field: PlanField): void {
  field.wantsId = true
  if (field.type === 'timestamp') field.wantsValue = true
}
