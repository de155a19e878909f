import { formatDay, firstPeriodDay, lastPeriodDay, periodStart } from './period.ts'
import { periods } from '../sources/declaration.ts'
import type { Plan } from './compile-plan.ts'
import type { Contribution, Touched } from './contribution.ts'
import { readFieldValue } from './field-value.ts'
import { MetricFold } from './metric-fold.ts'
import { type Refusal, type RefusalCode, refusalReasons, refusalsKeptMax } from './refusal.ts'
import { RowSlots } from './row-slots.ts'
import { ValueIds } from './value-ids.ts'

/** Stands for a value that is an object or a list, which refuses its row. */
export const notPlain: unique symbol = Symbol('object or list')

/**
 * A row as any form of document gives it: by field of the plan, what stands there as text (a JSON number's own
 * digits, `true`, `false`). `undefined` and the empty text are a missing value.
 */
export type RawRow = (string | undefined | typeof notPlain)[]

/** What the rows of a delivery come to. */
export interface FoldedRows {
  state: 'parsed'
  rowsAccepted: number
  rowsRefused: number
  /** Accepted rows of which some timestamp was a date alone; a row counts once. */
  rowsDateAlone: number
  /** The first 100. */
  refusals: Refusal[]
  contributions: Contribution[]
  touched: Touched[]
}

/** Folds one delivery, row by row. Rows are counted from 1 in the order in which they are given. */
export class DeliveryFold {
  readonly slots: RowSlots
  /** By field: tells its values apart, where the plan wants that. */
  readonly ids: (ValueIds | undefined)[]

  readonly #plan: Plan
  readonly #metrics: MetricFold[]
  #rowsAccepted = 0
  #rowsRefused = 0
  #rowsDateAlone = 0
  readonly #refusals: Refusal[] = []

  /** A number for each day that has a row, and by that number the numbers of its periods, one of each kind. */
  readonly #days = new Map<number, number>()
  readonly #dayPeriods: number[] = []
  #lastDay = NaN
  #lastDayNumber = 0
  /** For each kind of period: a number for each that has a row, and their first days by that number. */
  readonly #periods = periods.map(() => new Map<number, number>())
  readonly #periodStarts: string[][] = periods.map(() => [])

  constructor(plan: Plan) {
    this.#plan = plan
    this.slots = new RowSlots(plan.fields.length)
    this.ids = plan.fields.map((field) => (field.wantsId ? new ValueIds(field, plan.timeZone) : undefined))
    this.#metrics = plan.metrics.map((metric) => new MetricFold(plan, metric, this.ids))
  }

  /**
   * Checks a row and adds it, or refuses it for the first of the declared fields that does not fit. The row has as
   * many entries as the plan has fields.
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
      }
      const fieldIds = ids[index]
      if (fieldIds !== undefined) slots.ids[index] = fieldIds.idOf(value)
    }
    this.addSlots()
  }

  /** Adds the row whose checked values are in the slots. Only its event time is still to be looked at. */
  addSlots(): void {
    const { slots } = this
    const { eventField, timeZone } = this.#plan
    if (!slots.has(eventField)) return this.refuse('event_time_missing', this.#plan.fields[eventField]!.name)
    const day = timeZone.dayOf(slots.seconds[eventField]!)
    if (day !== this.#lastDay) {
      if (day < firstPeriodDay || day > lastPeriodDay) {
        return this.refuse('event_time_out_of_range', this.#plan.fields[eventField]!.name)
      }
      this.#lastDay = day
      this.#lastDayNumber = this.#days.get(day) ?? this.#addDay(day)
    }
    this.#rowsAccepted++
    if (slots.dateAlone) this.#rowsDateAlone++
    const metrics = this.#metrics
    for (let index = 0; index < metrics.length; index++) {
      const kind = this.#plan.metrics[index]!.period
      metrics[index]!.add(this.#dayPeriods[this.#lastDayNumber * periods.length + kind]!, slots)
    }
  }

  /** Refuses the next row. */
  refuse(code: RefusalCode, field?: string): void {
    this.#rowsRefused++
    if (this.#refusals.length === refusalsKeptMax) return
    const refusal = { row: this.#rowsAccepted + this.#rowsRefused, code, reason: refusalReasons[code] }
    this.#refusals.push(field === undefined ? refusal : { ...refusal, field })
  }

  result(): FoldedRows {
    const metrics = this.#plan.metrics
    return {
      state: 'parsed',
      rowsAccepted: this.#rowsAccepted,
      rowsRefused: this.#rowsRefused,
      rowsDateAlone: this.#rowsDateAlone,
      refusals: this.#refusals,
      contributions: this.#metrics.flatMap((fold, index) => {
        return fold.contributions(this.#periodStarts[metrics[index]!.period]!)
      }),
      touched: metrics.flatMap(({ metric, period }) => {
        return this.#periodStarts[period]!.map((start) => ({ metric, periodStart: start }))
      }),
    }
  }

  #addDay(day: number): number {
    const number = this.#days.size
    this.#days.set(day, number)
    for (const [kind, period] of periods.entries()) {
      const start = periodStart(period, day)
      const known = this.#periods[kind]!
      let periodNumber = known.get(start)
      if (periodNumber === undefined) {
        periodNumber = known.size
        known.set(start, periodNumber)
        this.#periodStarts[kind]!.push(formatDay(start))
      }
      this.#dayPeriods.push(periodNumber)
    }
    return number
  }
}
