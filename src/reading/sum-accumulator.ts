import { type Accumulator, widened } from './accumulator.ts'
import { addDecimals, type Decimal, decimalZero, formatDecimal, multiplyDecimals } from './decimal.ts'
import type { RowSlots } from './row-slots.ts'
import { isExact } from './small-decimal.ts'

/** Numbers of up to this many decimals, less one, are added as integers. */
const scales = 10

/**
 * Sums a field, or the products of two. A cell has one integer sum for each number of decimals, so that nothing is
 * ever brought to another scale, and a `Decimal` for all that does not stay a safe integer (see `small-decimal.ts`).
 */
export class SumAccumulator implements Accumulator {
  readonly #field: number
  readonly #times: number | undefined
  #sums = new Float64Array(0)
  readonly #large = new Map<number, Decimal>()

  constructor(field: number, times: number | undefined) {
    this.#field = field
    this.#times = times
  }

  grow(cells: number): void {
    this.#sums = widened(this.#sums, cells * scales)
  }

  add(cell: number, slots: RowSlots): void {
    let digits = slots.digits[this.#field]!
    let scale = slots.scales[this.#field]!
    let isSmall = scale >= 0
    if (this.#times !== undefined) {
      const timesScale = slots.scales[this.#times]!
      digits *= slots.digits[this.#times]!
      scale += timesScale
      isSmall &&= timesScale >= 0 && isExact(digits)
    }
    if (isSmall && scale < scales) {
      const at = cell * scales + scale
      const sum = this.#sums[at]! + digits
      if (isExact(sum)) {
        this.#sums[at] = sum
        return
      }
    }
    const decimal = slots.decimal(this.#field)
    this.#addLarge(
      cell,
      this.#times === undefined ? decimal : multiplyDecimals(decimal, slots.decimal(this.#times)),
    )
  }

  result(cell: number): { value: string } {
    let sum = this.#large.get(cell) ?? decimalZero
    for (let scale = 0; scale < scales; scale++) {
      const digits = this.#sums[cell * scales + scale]!
      if (digits !== 0) sum = addDecimals(sum, { digits: BigInt(digits), scale })
    }
    return { value: formatDecimal(sum) }
  }

  #addLarge(cell: number, decimal: Decimal): void {
    this.#large.set(cell, addDecimals(this.#large.get(cell) ?? decimalZero, decimal))
  }
}
