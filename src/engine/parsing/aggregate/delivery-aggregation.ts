import type { Plan } from '../plan/compile-plan.ts'
import { readFieldValue } from '../../fields/field-value.ts'
import type { AggregatedMetric } from './aggregated-metric.ts'
import { MetricAggregation } from './metric-aggregation.ts'
import { firstPeriodDay, formatDay, lastPeriodDay, periods } from '../../../formats/values/period.ts'
import { PeriodNumbers } from './period-numbers.ts'
import {
  type Refusal,
  type RefusalGroup,
  type RefusalCode,
  refusalExamplesMax,
  refusalReasons,
  refusalsKeptBytesMax,
  refusalsKeptMax,
} from '../plan/refusal.ts'
import { type FarAheadRow, farAheadRowsMax, type Remarks } from '../plan/remarks.ts'
import { RowSlots } from '../../tables/row-slots.ts'
import { TextIds, type ValueIds, createValueIds } from '../../tables/value-ids.ts'
import { periodBytes, writeAllowance } from '../plan/write-allowance.ts'

/** A value that is an object or a list, which refuses its row. */
export const notPlain: unique symbol = Symbol('object or list')

/**
 * A row of a document of any format: the values' texts by field of the plan (a JSON number's own digits, `true`,
 * `false`). `undefined` and the empty text are missing values.
 */
export type RawRow = (string | undefined | typeof notPlain)[]

/** The result of aggregating the rows of a delivery. */
export interface AggregatedRows {
  state: 'parsed'
  rowsAccepted: number
  rowsRefused: number
  /** Accepted rows with a timestamp that was a date alone; a row counts once. */
  rowsDateAlone: number
  /** The first 100, or fewer if they are long (`refusalsKeptBytesMax`). */
  refusals: Refusal[]
  /** All of them, by reason and field, in the order of their first rows. */
  refusalGroups: RefusalGroup[]
  remarks: Remarks
  /** Roughly the bytes on disk that writing them takes if everything is new (`write-allowance.ts`). */
  writtenBytes: number
  metrics: readonly AggregatedMetric[]
}

/** Aggregates one delivery, row by row. Rows are numbered from 1 in the order in which they are added. */
export class DeliveryAggregation {
  readonly slots: RowSlots
  /** By field: the ids of its values, if the plan distinguishes them. */
  readonly ids: (ValueIds | undefined)[]

  readonly #plan: Plan
  readonly #metrics: MetricAggregation[]
  #rowsAccepted = 0
  #rowsRefused = 0
  #rowsDateAlone = 0
  readonly #refusals: Refusal[] = []
  readonly #refusalGroups = new Map<string, RefusalGroup>()
  readonly #lastUsualDay: number
  #rowsFarAhead = 0
  readonly #farAhead: FarAheadRow[] = []

  #lastDay = NaN
  /** For each kind of period that a metric has: its periods. */
  readonly #periods: PeriodNumbers[]

  /** For each kind of period: the bytes that a new one writes. */
  readonly #periodBytes: number[] = []
  readonly #allowance: number
  /** What is left of the allowance. */
  #bytesLeft: number
  #refusalBytes = 0

  readonly #getLine: (() => number) | undefined

  /**
   * `contentBytes` is the length of the whole document, which decides what it may write. Rows after `lastUsualDay`,
   * counted from 1970-01-01, are remarked on. `getLine` returns the line on which the current row begins.
   */
  constructor(plan: Plan, contentBytes: number, lastUsualDay: number, getLine?: () => number) {
    this.#getLine = getLine
    this.#lastUsualDay = lastUsualDay
    const { fields, metrics, seed } = plan
    this.#plan = plan
    this.slots = new RowSlots(fields.length)
    this.ids = fields.map((field) => (field.wantsId ? createValueIds(field.type, plan) : undefined))
    const ofKind = new Map<number, PeriodNumbers>()
    this.#metrics = metrics.map((metric) => {
      let numbers = ofKind.get(metric.period)
      if (numbers === undefined) {
        numbers = new PeriodNumbers(periods[metric.period]!, seed)
        ofKind.set(metric.period, numbers)
      }
      return new MetricAggregation(plan, metric, this.ids, numbers)
    })
    this.#periods = [...ofKind.values()]
    for (const ofOne of this.#periods) {
      const metricsOfKind = this.#metrics.filter((metric) => metric.periods === ofOne).length
      this.#periodBytes.push(periodBytes * metricsOfKind)
    }
    this.#allowance = writeAllowance(contentBytes)
    this.#bytesLeft = this.#allowance
  }

  /**
   * Checks a row and adds it, or refuses it for the first declared field whose value does not fit. The row has as many
   * entries as the plan has fields.
   */
  addRow(row: RawRow): void {
    const { fields, timeZone } = this.#plan
    const { slots, ids } = this
    slots.clear()
    for (let index = 0; index < fields.length; index++) {
      const text = row[index]
      if (text === undefined || text === '') continue
      const field = fields[index]!
      if (text === notPlain) return this.refuse('value_not_plain', field.name)
      const value = readFieldValue(field.type, text, timeZone)
      if (typeof value === 'string') return this.refuse(value, field.name)
      slots.stamps[index] = slots.stamp
      if (value.type === 'number') slots.setNumber(index, value.number)
      else if (value.type === 'timestamp') {
        slots.seconds[index] = value.instant.seconds
        slots.fractions[index] = value.instant.fraction
        if (value.dateAlone) slots.dateAlone = true
      } else if (value.type === 'bool') slots.digits[index] = value.bool ? 1 : 0
      const fieldIds = ids[index]
      if (fieldIds instanceof TextIds) slots.ids[index] = fieldIds.getIdOfText(text)
      else if (fieldIds !== undefined) slots.ids[index] = fieldIds.getId(slots, index)
      if (field.isLabel && this.#isTooLong(index)) {
        return this.refuse('label_too_long', field.name)
      }
    }
    this.addSlots()
  }

  /** Adds the row whose checked values are in the slots. Only its labels and its event time remain to be checked. */
  addSlots(): void {
    const { slots } = this
    if (slots.hasLongText) {
      const long = this.#plan.labelFields.find((field) => slots.has(field) && this.#isTooLong(field))
      if (long !== undefined) return this.refuse('label_too_long', this.#plan.fields[long]!.name)
    }
    const { eventField, timeZone } = this.#plan
    if (!slots.has(eventField)) return this.refuse('event_time_missing', this.#plan.fields[eventField]!.name)
    const day = timeZone.toDay(slots.seconds[eventField]!)
    if (day < firstPeriodDay || day > lastPeriodDay) {
      return this.refuse('event_time_out_of_range', this.#plan.fields[eventField]!.name)
    }
    // While more is left than any row can write, nothing has to be computed.
    if (this.#bytesLeft < this.#plan.rowBytesMax && this.#newBytes(day) > this.#bytesLeft) {
      return this.refuse('allowance_spent')
    }
    if (day !== this.#lastDay) this.#moveTo(day)
    this.#rowsAccepted++
    if (this.#plan.counted !== undefined) this.#plan.counted.row = this.#rowsAccepted + this.#rowsRefused
    if (slots.dateAlone) this.#rowsDateAlone++
    if (day > this.#lastUsualDay) this.#addFarAhead(day)
    for (const metric of this.#metrics) {
      const bytes = metric.add(slots)
      if (bytes > 0) this.#bytesLeft -= bytes
    }
  }

  /** Whether the row's value of a field is longer than a label may be. */
  #isTooLong(field: number): boolean {
    return this.ids[field]!.isTooLong(this.slots.ids[field]!)
  }

  #addFarAhead(day: number): void {
    this.#rowsFarAhead++
    if (this.#farAhead.length === farAheadRowsMax) return
    this.#farAhead.push({
      row: this.#rowsAccepted + this.#rowsRefused,
      ...(this.#getLine === undefined ? {} : { line: this.#getLine() }),
      ...(this.#plan.isEventPersonal ? {} : { day: formatDay(day) }),
    })
  }

  #moveTo(day: number): void {
    this.#lastDay = day
    // Rows may change the day every time: nothing is allocated here.
    for (let kind = 0; kind < this.#periods.length; kind++) {
      const ofKind = this.#periods[kind]!
      const before = ofKind.size
      ofKind.moveTo(day)
      if (ofKind.size > before) this.#bytesLeft -= this.#periodBytes[kind]!
    }
  }

  /** The bytes that the row in the slots, with its event on `day`, would write beyond those of the rows before it. */
  #newBytes(day: number): number {
    let bytes = 0
    for (const [kind, ofKind] of this.#periods.entries()) {
      if (ofKind.find(day) < 0) bytes += this.#periodBytes[kind]!
    }
    for (const metric of this.#metrics) bytes += metric.newBytes(this.slots, day)
    return bytes
  }

  /** Refuses the next row. */
  refuse(code: RefusalCode, field?: string): void {
    this.#rowsRefused++
    this.#groupRefusal(code, field)
    this.#plan.refused?.push(this.#rowsAccepted + this.#rowsRefused)
    if (this.#refusals.length === refusalsKeptMax || this.#refusalBytes >= refusalsKeptBytesMax) return
    const refusal: Refusal = {
      row: this.#rowsAccepted + this.#rowsRefused,
      ...(this.#getLine === undefined ? {} : { line: this.#getLine() }),
      ...(field === undefined ? {} : { field }),
      code,
      reason: refusalReasons[code],
    }
    this.#refusalBytes += Buffer.byteLength(JSON.stringify(refusal))
    if (this.#refusalBytes < refusalsKeptBytesMax) this.#refusals.push(refusal)
  }

  #groupRefusal(code: RefusalCode, field: string | undefined): void {
    const key = `${code} ${field ?? ''}`
    const group = this.#refusalGroups.get(key) ?? { code, field: field ?? null, rows: 0, examples: [] }
    if (group.rows++ === 0) this.#refusalGroups.set(key, group)
    if (group.examples.length === refusalExamplesMax) return
    group.examples.push(this.#rowsAccepted + this.#rowsRefused)
  }

  /** The result of all rows; none may be added afterwards. */
  result(): AggregatedRows {
    for (const ids of this.ids) ids?.seal()
    for (const ofKind of this.#periods) ofKind.seal()
    for (const metric of this.#metrics) metric.seal()
    return {
      state: 'parsed',
      rowsAccepted: this.#rowsAccepted,
      rowsRefused: this.#rowsRefused,
      rowsDateAlone: this.#rowsDateAlone,
      refusals: this.#refusals,
      refusalGroups: [...this.#refusalGroups.values()],
      remarks: {
        missing_values: this.#metrics.flatMap((metric) => metric.missingValues()),
        rows_far_ahead: this.#rowsFarAhead,
        far_ahead: this.#farAhead,
      },
      writtenBytes: this.#allowance - this.#bytesLeft,
      metrics: this.#metrics,
    }
  }
}
