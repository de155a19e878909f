import { type Accumulator, widened } from './accumulator.ts'
import { compareDecimals, type Decimal, formatDecimal } from './decimal.ts'
import type { RowSlots } from './row-slots.ts'
import { compareSmall } from './small-decimal.ts'

/** The smallest or the largest number of a field. */
export class ExtremeAccumulator implements Accumulator {
  readonly #field: number
  /** 1 keeps the largest, -1 the smallest. */
  readonly #sign: number
  #digits = new Float64Array(0)
  /** Decimals of what is kept, or -1 where it is in `#large`. */
  #scales = new Float64Array(0)
  readonly #large = new Map<number, Decimal>()

  constructor(field: number, which: 'min' | 'max') {
    this.#field = field
    this.#sign = which === 'max' ? 1 : -1
  }

  grow(cells: number): void {
    this.#digits = widened(this.#digits, cells)
    this.#scales = widened(this.#scales, cells)
  }

  add(cell: number, slots: RowSlots, isFirst: boolean): void {
    const digits = slots.digits[this.#field]!
    const scale = slots.scales[this.#field]!
    if (!isFirst) {
      const keptScale = this.#scales[cell]!
      const order =
        scale >= 0 && keptScale >= 0
          ? compareSmall(digits, scale, this.#digits[cell]!, keptScale)
          : compareDecimals(slots.decimal(this.#field), this.#kept(cell))
      if (order * this.#sign <= 0) return
    }
    this.#digits[cell] = digits
    this.#scales[cell] = scale
    if (scale < 0) this.#large.set(cell, slots.decimal(this.#field))
  }

  result(cell: number): { value: string } {
    return { value: formatDecimal(this.#kept(cell)) }
  }

  #kept(cell: number): Decimal {
    const scale = this.#scales[cell]!
    return scale < 0 ? this.#large.get(cell)! : { digits: BigInt(this.#digits[cell]!), scale }
  }
}
