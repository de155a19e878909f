import { aggregations, type Aggregation } from '../../aggregations/aggregations.ts'
import { type Decimal, multiplyDecimals } from '../../../formats/values/decimal.ts'
import { isExact } from '../../../formats/values/small-decimal.ts'
import { widened } from '../../tables/long-lists.ts'
import type { RowSlots } from '../../tables/row-slots.ts'

const rowsFromStart = 1_024

/** A metric of a plan, by the places of its fields. */
interface CountingMetric {
  aggregation: Aggregation
  counted: number
  times: number | undefined
}

/**
 * Which rows of a delivery one metric counts, in which of its cells, and what each gives. A plan that has it records
 * them while the delivery is aggregated, so that they are the rows that the worker counts. 17 bytes a row.
 */
export class CountedRows {
  readonly metric: string
  /** How many there are. */
  size = 0
  /** By place: the row's number in the delivery, from 1. */
  rows = new Int32Array(rowsFromStart)
  /** By place: the number of the metric's cell. */
  cells = new Int32Array(rowsFromStart)
  /** The number of the row that is being added. */
  row = 0
  #digits = new Float64Array(rowsFromStart)
  #scales = new Int8Array(rowsFromStart)
  /** By place: what a row gives whose digits are no safe integer. */
  readonly #large = new Map<number, Decimal>()

  constructor(metric: string) {
    this.metric = metric
  }

  /** Records the row in the slots. `isNewValue`: of a distinct count, the cell did not have its value. */
  add(
    { aggregation, counted, times }: CountingMetric,
    cell: number,
    slots: RowSlots,
    isNewValue: boolean,
  ): void {
    const place = this.size++
    if (place === this.rows.length) this.#grow(place * 2)
    this.rows[place] = this.row
    this.cells[place] = cell
    const { counts } = aggregations[aggregation]
    if (counts !== 'numbers') {
      this.#digits[place] = counts === 'rows' || isNewValue ? 1 : 0
      return
    }
    const scale = slots.scales[counted]!
    const timesScale = times === undefined ? 0 : slots.scales[times]!
    const digits = slots.digits[counted]! * (times === undefined ? 1 : slots.digits[times]!)
    if (scale >= 0 && timesScale >= 0 && isExact(digits)) {
      this.#digits[place] = digits
      this.#scales[place] = scale + timesScale
    } else {
      const factor = slots.decimal(counted)
      this.#large.set(place, times === undefined ? factor : multiplyDecimals(factor, slots.decimal(times)))
    }
  }

  /** What the row at a place gives: its number or product; 1 where rows are counted; of a distinct count 1 for a new value, else 0. */
  gave(place: number): Decimal {
    return this.#large.get(place) ?? { digits: BigInt(this.#digits[place]!), scale: this.#scales[place]! }
  }

  #grow(length: number): void {
    this.rows = widened.int32(this.rows, length)
    this.cells = widened.int32(this.cells, length)
    this.#digits = widened.float64(this.#digits, length)
    this.#scales = widened.int8(this.#scales, length)
  }
}
