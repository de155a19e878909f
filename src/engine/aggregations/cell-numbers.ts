import { cellsFromStart } from './accumulator.ts'
import { compareDecimals, type Decimal, formatDecimal } from '../../formats/values/decimal.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import { compareSmall } from '../../formats/values/small-decimal.ts'
import { widened } from '../tables/long-lists.ts'

/** One exact number for each cell. */
export class CellNumbers {
  #digits = new Float64Array(cellsFromStart)
  /** The number's scale, or -1 if it is in `#large`. */
  #scales = new Int8Array(cellsFromStart)
  readonly #large: Decimal[] = []

  /** Allocates space for cells below `cells`. */
  grow(cells: number): void {
    this.#digits = widened.float64(this.#digits, cells)
    this.#scales = widened.int8(this.#scales, cells)
  }

  /** Sets a cell's number to the row's. */
  set(cell: number, slots: RowSlots, field: number): void {
    const scale = slots.scales[field]!
    this.#digits[cell] = slots.digits[field]!
    this.#scales[cell] = scale
    if (scale < 0) this.#large[cell] = slots.decimal(field)
  }

  /** Less than 0, 0 or more as the row's number is less than, equal to or more than the cell's. */
  compare(cell: number, slots: RowSlots, field: number): number {
    const scale = slots.scales[field]!
    const kept = this.#scales[cell]!
    return scale >= 0 && kept >= 0
      ? compareSmall(slots.digits[field]!, scale, this.#digits[cell]!, kept)
      : compareDecimals(slots.decimal(field), this.#decimal(cell))
  }

  /** A cell's number as shown. */
  text(cell: number): string {
    return formatDecimal(this.#decimal(cell))
  }

  #decimal(cell: number): Decimal {
    const scale = this.#scales[cell]!
    return scale < 0 ? this.#large[cell]! : { digits: BigInt(this.#digits[cell]!), scale }
  }
}
