import {
  type Accumulator,
  cellsFromStart,
  type CellValue,
  type DistinctValues,
} from '../../aggregations/accumulator.ts'
import { type Aggregation, aggregations } from '../../aggregations/aggregations.ts'
import type { Plan, PlanMetric } from '../plan/compile-plan.ts'
import type { CountedRows } from '../plan/counted-rows.ts'
import type { MissingValue } from '../plan/remarks.ts'
import type { AggregatedMetric } from './aggregated-metric.ts'
import type { PeriodNumbers } from './period-numbers.ts'
import { RowFilter } from './row-filter.ts'
import type { RowSlots } from '../../tables/row-slots.ts'
import { RowKeyTable } from '../../tables/row-key-table.ts'
import type { ValueIds } from '../../tables/value-ids.ts'
import { widened } from '../../tables/long-lists.ts'
import { bytesPerLabelByte, cellBytes, distinctValueBytes } from '../plan/write-allowance.ts'

/** Aggregates the rows of a delivery into the cells of one metric. */
export class MetricAggregation implements AggregatedMetric {
  readonly metric: string
  readonly aggregation: Aggregation
  readonly periods: PeriodNumbers

  readonly #ids: (ValueIds | undefined)[]
  readonly #filters: RowFilter[]
  readonly #needed: PlanMetric['needed']
  readonly #neededFields: number[]
  /** By needed field: the rows that would be counted if they had it. */
  readonly #lackingRows: number[]
  readonly #labels: { field: number; member: string }[]
  readonly #labelFields: number[]
  /** Cells by the number of their period and, for each label, the id of its value plus 1; 0 for no value. */
  readonly #table: RowKeyTable
  readonly #accumulator: Accumulator
  readonly #distinct: DistinctValues | undefined
  /** Records its rows, if the plan has it do so. */
  readonly #counted: CountedRows | undefined
  readonly #metric: PlanMetric
  /** The bytes of the labels' JSON without the values. */
  readonly #labelNameBytes: number
  #rows = new Int32Array(cellsFromStart)

  /** `ids` by field of the plan. */
  constructor(plan: Plan, metric: PlanMetric, ids: (ValueIds | undefined)[], periods: PeriodNumbers) {
    this.metric = metric.metric
    this.#metric = metric
    this.#counted = plan.counted?.metric === metric.metric ? plan.counted : undefined
    this.aggregation = metric.aggregation
    this.periods = periods
    this.#ids = ids
    this.#filters = metric.filters.map((filter) => new RowFilter(filter, ids[filter.field]))
    this.#needed = metric.needed
    this.#neededFields = metric.needed.map(({ field }) => field)
    this.#lackingRows = metric.needed.map(() => 0)
    this.#labels = metric.labels
    this.#labelFields = metric.labels.map(({ field }) => field)
    this.#table = new RowKeyTable(1 + metric.labels.length, plan.seed)
    const { counted, times } = metric
    this.#accumulator = aggregations[metric.aggregation].accumulator({
      field: counted,
      type: plan.fields[counted]?.type,
      times,
      eventField: plan.eventField,
      ids: ids[counted],
      salt: plan.salt,
      seed: plan.seed,
    })
    this.#distinct = this.#accumulator.distinct
    this.#labelNameBytes = metric.labelNameBytes
  }

  /**
   * Adds a row of the current period. Returns the bytes that it writes beyond those of the rows before it.
   */
  add(slots: RowSlots): number {
    const needed = this.#neededFields
    for (let place = 0; place < needed.length; place++) {
      if (slots.stamps[needed[place]!] !== slots.stamp) return this.#addLacking(place, slots)
    }
    for (const filter of this.#filters) if (!filter.passes(slots)) return 0
    this.#fillKey(slots, this.periods.current)
    const cell = this.#table.id()
    if (cell === this.#rows.length) {
      this.#rows = widened.int32(this.#rows, cell * 2)
      this.#accumulator.grow(cell * 2)
    }
    const isFirst = this.#rows[cell] === 0
    this.#rows[cell]!++
    const distinct = this.#distinct
    if (distinct === undefined) {
      this.#accumulator.add(cell, slots, isFirst)
      this.#counted?.add(this.#metric, cell, slots, false)
      return isFirst ? this.#newCellBytes() : 0
    }
    const valuesBefore = distinct.size
    this.#accumulator.add(cell, slots, isFirst)
    const isNewValue = distinct.size > valuesBefore
    this.#counted?.add(this.#metric, cell, slots, isNewValue)
    const bytes = isNewValue ? distinctValueBytes : 0
    return isFirst ? bytes + this.#newCellBytes() : bytes
  }

  /** Counts a row without the needed field at `place`, if the filters let it pass; writes nothing. */
  #addLacking(place: number, slots: RowSlots): 0 {
    if (this.#passes(slots)) this.#lackingRows[place]!++
    return 0
  }

  /** What `add` would return for a row of `day`, without adding it. */
  newBytes(slots: RowSlots, day: number): number {
    if (this.#firstLacking(slots) >= 0 || !this.#passes(slots)) return 0
    const period = this.periods.find(day)
    this.#fillKey(slots, period)
    if (period < 0 || !this.#table.has()) {
      return this.#newCellBytes() + (this.#distinct === undefined ? 0 : distinctValueBytes)
    }
    const isKnown = this.#distinct === undefined || this.#distinct.has(this.#table.id(), slots)
    return isKnown ? 0 : distinctValueBytes
  }

  /** The place of the first needed field that the row lacks, or -1. */
  #firstLacking(slots: RowSlots): number {
    return this.#neededFields.findIndex((field) => !slots.has(field))
  }

  #passes(slots: RowSlots): boolean {
    for (const filter of this.#filters) if (!filter.passes(slots)) return false
    return true
  }

  /** Sets the table's key to that of the row's cell. */
  #fillKey(slots: RowSlots, period: number): void {
    const { key } = this.#table
    key[0] = period
    const { stamp, stamps, ids } = slots
    const fields = this.#labelFields
    for (let place = 0; place < fields.length; place++) {
      const field = fields[place]!
      key[place + 1] = stamps[field] === stamp ? ids[field]! + 1 : 0
    }
  }

  /** The bytes that the cell in the table's key writes, with its labels. */
  #newCellBytes(): number {
    const { key } = this.#table
    let labelBytes = this.#labelNameBytes
    const labels = this.#labels
    for (let place = 0; place < labels.length; place++) {
      const label = key[place + 1]!
      if (label > 0) labelBytes += this.#ids[labels[place]!.field]!.jsonBytes(label - 1)
    }
    return cellBytes + Math.ceil(bytesPerLabelByte * labelBytes)
  }

  /** Called after the last row. */
  seal(): void {
    this.#table.seal()
    this.#accumulator.seal?.()
  }

  missingValues(): MissingValue[] {
    return this.#needed.flatMap(({ name }, place) => {
      const rows = this.#lackingRows[place]!
      return rows === 0 ? [] : [{ metric: this.metric, field: name, rows }]
    })
  }

  get cells(): number {
    return this.#table.size
  }

  getPeriod(cell: number): number {
    return this.#table.at(cell, 0)
  }

  getLabels(cell: number): string {
    let members = ''
    for (const [place, { field, member }] of this.#labels.entries()) {
      const label = this.#table.at(cell, place + 1)
      const text = label === 0 ? '""' : JSON.stringify(this.#ids[field]!.text(label - 1))
      members += `${place === 0 ? '' : ','}${member}${text}`
    }
    return `{${members}}`
  }

  countRows(cell: number): number {
    return this.#rows[cell]!
  }

  cellValue(cell: number): CellValue {
    return this.#accumulator.cellValue(cell, this.#rows[cell]!)
  }

  distinct(cell: number): Buffer | undefined {
    return this.#distinct?.hashes(cell)
  }
}
