import type { Aggregation } from '../../sources/declaration.ts'
import { type Accumulator, cellsFromStart, type CellValue } from './accumulator.ts'
import type { Plan, PlanMetric } from '../plan/compile-plan.ts'
import type { MissingValue } from '../plan/remarks.ts'
import { CountAccumulator } from './count-accumulator.ts'
import { DistinctAccumulator } from './distinct-accumulator.ts'
import { ExtremeAccumulator } from './extreme-accumulator.ts'
import type { AggregatedMetric } from './aggregated-metric.ts'
import { LastAccumulator } from './last-accumulator.ts'
import type { PeriodNumbers } from './period-numbers.ts'
import { RowFilter } from './row-filter.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import { SumAccumulator } from './sum-accumulator.ts'
import { RowKeyTable } from '../tables/row-key-table.ts'
import type { ValueIds } from '../tables/value-ids.ts'
import { widened } from '../tables/long-lists.ts'
import { bytesPerLabelByte, cellBytes, distinctValueBytes } from '../plan/write-allowance.ts'

/** Aggregates the rows of a delivery into the cells of one metric. */
export class MetricAggregation implements AggregatedMetric {
  readonly metric: string
  readonly aggregation: Aggregation
  readonly periods: PeriodNumbers

  readonly #ids: (ValueIds | undefined)[]
  readonly #filters: RowFilter[]
  readonly #needed: PlanMetric['needed']
  /** By needed field: the rows that would be counted if they had it. */
  readonly #lackingRows: number[]
  readonly #labels: { field: number; member: string }[]
  /** Cells by the number of their period and, for each label, the id of its value plus 1; 0 for no value. */
  readonly #table: RowKeyTable
  readonly #accumulator: Accumulator
  /** The accumulator, if it is one of distinct values. */
  readonly #distinct: DistinctAccumulator | undefined
  /** The bytes of the labels' JSON without the values. */
  readonly #labelNameBytes: number
  #rows = new Int32Array(cellsFromStart)

  /** `ids` by field of the plan. */
  constructor(plan: Plan, metric: PlanMetric, ids: (ValueIds | undefined)[], periods: PeriodNumbers) {
    this.metric = metric.metric
    this.aggregation = metric.aggregation
    this.periods = periods
    this.#ids = ids
    this.#filters = metric.filters.map((filter) => new RowFilter(filter, ids[filter.field]))
    this.#needed = metric.needed
    this.#lackingRows = metric.needed.map(() => 0)
    this.#labels = metric.labels
    this.#table = new RowKeyTable(1 + metric.labels.length, plan.seed)
    this.#accumulator = accumulatorOf(plan, metric, ids)
    this.#distinct = this.#accumulator instanceof DistinctAccumulator ? this.#accumulator : undefined
    this.#labelNameBytes = metric.labelNameBytes
  }

  /**
   * Adds a row of the current period. Returns the bytes that it writes beyond those of the rows before it.
   */
  add(slots: RowSlots): number {
    const lacking = this.#firstLacking(slots)
    if (!this.#passes(slots)) return 0
    if (lacking >= 0) {
      this.#lackingRows[lacking]!++
      return 0
    }
    this.#fillKey(slots, this.periods.current)
    const cell = this.#table.id()
    if (cell === this.#rows.length) {
      this.#rows = widened.int32(this.#rows, cell * 2)
      this.#accumulator.grow(cell * 2)
    }
    const isFirst = this.#rows[cell] === 0
    this.#rows[cell]!++
    const distinct = this.#distinct
    const valuesBefore = distinct === undefined ? 0 : distinct.size
    this.#accumulator.add(cell, slots, isFirst)
    const bytes = distinct !== undefined && distinct.size > valuesBefore ? distinctValueBytes : 0
    return isFirst ? bytes + this.#newCellBytes() : bytes
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
    for (let place = 0; place < this.#needed.length; place++) {
      const { field } = this.#needed[place]!
      if (field < 0 || !slots.has(field)) return place
    }
    return -1
  }

  #passes(slots: RowSlots): boolean {
    for (const filter of this.#filters) if (!filter.passes(slots)) return false
    return true
  }

  /** Sets the table's key to that of the row's cell. */
  #fillKey(slots: RowSlots, period: number): void {
    const { key } = this.#table
    key[0] = period
    const labels = this.#labels
    for (let place = 0; place < labels.length; place++) {
      const { field } = labels[place]!
      key[place + 1] = field >= 0 && slots.has(field) ? slots.ids[field]! + 1 : 0
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

  periodOf(cell: number): number {
    return this.#table.at(cell, 0)
  }

  labelsOf(cell: number): string {
    let members = ''
    for (const [place, { field, member }] of this.#labels.entries()) {
      const label = this.#table.at(cell, place + 1)
      const text = label === 0 ? '""' : JSON.stringify(this.#ids[field]!.text(label - 1))
      members += `${place === 0 ? '' : ','}${member}${text}`
    }
    return `{${members}}`
  }

  rowsOf(cell: number): number {
    return this.#rows[cell]!
  }

  cellValue(cell: number): CellValue {
    return this.#accumulator.cellValue(cell, this.#rows[cell]!)
  }

  distinct(cell: number): Buffer {
    return this.#accumulator.distinct!(cell)
  }
}

function accumulatorOf(plan: Plan, metric: PlanMetric, ids: (ValueIds | undefined)[]): Accumulator {
  const { aggregation, counted, times } = metric
  if (counted === 'rows' || aggregation === 'count') return new CountAccumulator()
  switch (aggregation) {
    case 'sum':
      return new SumAccumulator(counted, times)
    case 'min':
    case 'max':
      return new ExtremeAccumulator(counted, aggregation)
    case 'last':
      return new LastAccumulator(counted, plan.eventField)
    case 'count_distinct': {
      // The type is hashed too: the text 1 is not the number 1.
      const prefix = Buffer.concat([plan.salt, Buffer.from(`${plan.fields[counted]?.type}:`)])
      return new DistinctAccumulator(counted, ids[counted], prefix, plan.seed)
    }
  }
}
