import { hash } from 'node:crypto'
import { type Accumulator } from './accumulator.ts'
import type { Plan, PlanMetric } from './compile-plan.ts'
import type { Contribution } from './contribution.ts'
import { CountAccumulator } from './count-accumulator.ts'
import { DistinctAccumulator, distinctHashBytes } from './distinct-accumulator.ts'
import { ExtremeAccumulator } from './extreme-accumulator.ts'
import { LastAccumulator } from './last-accumulator.ts'
import { PairTable } from './pair-table.ts'
import { RowFilter } from './row-filter.ts'
import type { RowSlots } from './row-slots.ts'
import { SumAccumulator } from './sum-accumulator.ts'
import type { ValueIds } from './value-ids.ts'

/** Folds the rows of a delivery into the cells of one metric. */
export class MetricFold {
  readonly #plan: PlanMetric
  readonly #ids: (ValueIds | undefined)[]
  readonly #filters: RowFilter[]
  /** The fields that must be there for a row to count; one of -1 never is. */
  readonly #needed: number[]
  readonly #labelFields: number[]
  /**
   * A cell is found by its period and then label by label: the number of the pair (what was found so far, number of
   * the label's value from 1, 0 for none) in each table is the first of the pair in the next. The last gives the cell.
   */
  readonly #tables: PairTable[]
  readonly #cells: PairTable
  readonly #accumulator: Accumulator
  #rows = new Float64Array(0)

  /** `ids` by field of the plan. */
  constructor(plan: Plan, metric: PlanMetric, ids: (ValueIds | undefined)[]) {
    this.#plan = metric
    this.#ids = ids
    this.#filters = metric.filters.map((filter) => new RowFilter(filter, ids[filter.field]))
    this.#needed = metric.counted === 'rows' ? [] : [metric.counted]
    if (metric.times !== undefined) this.#needed.push(metric.times)
    this.#labelFields = metric.labels.map((label) => label.field)
    this.#tables = Array.from({ length: Math.max(metric.labels.length, 1) }, () => new PairTable())
    this.#cells = this.#tables.at(-1)!
    this.#accumulator = accumulatorOf(plan, metric, ids)
  }

  /** Adds a row that lies in the period with the number `period`. */
  add(period: number, slots: RowSlots): void {
    for (const field of this.#needed) if (field < 0 || !slots.has(field)) return
    for (const filter of this.#filters) if (!filter.passes(slots)) return

    const cell = this.#cellOf(period, slots)
    if (cell >= this.#rows.length) {
      const cells = Math.max(4, this.#rows.length * 2)
      const rows = new Float64Array(cells)
      rows.set(this.#rows)
      this.#rows = rows
      this.#accumulator.grow(cells)
    }
    const isFirst = this.#rows[cell] === 0
    this.#rows[cell]!++
    this.#accumulator.add(cell, slots, isFirst)
  }

  /** `periodStarts` by number of the period. */
  contributions(periodStarts: string[]): Contribution[] {
    const contributions: Contribution[] = []
    for (let cell = 0; cell < this.#cells.size; cell++) {
      const { period, labels } = this.#nameOf(cell)
      contributions.push({
        metric: this.#plan.metric,
        periodStart: periodStarts[period]!,
        labels,
        rows: this.#rows[cell]!,
        ...this.#accumulator.result(cell),
      })
    }
    return contributions
  }

  #cellOf(period: number, slots: RowSlots): number {
    const fields = this.#labelFields
    if (fields.length === 0) return this.#cells.idOf(period, 0)
    let found = period
    for (let place = 0; place < fields.length; place++) {
      const field = fields[place]!
      const label = field >= 0 && slots.has(field) ? slots.ids[field]! + 1 : 0
      found = this.#tables[place]!.idOf(found, label)
    }
    return found
  }

  /** The way back from a cell to its period and labels. */
  #nameOf(cell: number): { period: number; labels: string } {
    const labels = this.#plan.labels
    let found = cell
    const members: string[] = []
    for (let place = labels.length - 1; place >= 0; place--) {
      const { name, field } = labels[place]!
      const label = this.#tables[place]!.seconds[found]!
      const text = label === 0 ? '' : this.#ids[field]!.text(label - 1)
      members.push(`${JSON.stringify(name)}:${JSON.stringify(text)}`)
      found = this.#tables[place]!.firsts[found]!
    }
    if (labels.length === 0) found = this.#cells.firsts[cell]!
    return { period: found, labels: `{${members.toReversed().join(',')}}` }
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
      // The type goes into the hash: the text 1 is not the number 1.
      const prefix = Buffer.concat([plan.salt, Buffer.from(`${plan.fields[counted]?.type}:`)])
      return new DistinctAccumulator(counted, (id) => {
        const value = Buffer.concat([prefix, Buffer.from(ids[counted]!.text(id), 'utf8')])
        return hash('sha256', value, 'buffer').subarray(0, distinctHashBytes)
      })
    }
  }
}
