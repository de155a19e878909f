import { type Accumulator, cellsFromStart } from './accumulator.ts'
import type { AggregationDefinition } from './aggregation-definition.ts'
import {
  addDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  readDecimal,
} from '../../formats/values/decimal.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import { isExact, powersOfTen } from '../../formats/values/small-decimal.ts'
import { widened } from '../tables/long-lists.ts'

/** The sum of a field, or of the products of two. */
export const sum: AggregationDefinition = {
  description: 'the sum of a field, or of its product with `times`',
  words: {
    en: { name: 'Sum', field: 'Sum of', sentence: 'Adds up {{what}} of every row' },
    sv: { name: 'Summa', field: 'Summan av', sentence: 'Lägger ihop {{what}} från varje rad' },
  },
  counts: 'numbers',
  takesTimes: true,
  keeps: null,
  combines: 'sum',
  accumulator: ({ field, times }) => new SumAccumulator(field, times),
  combine: (contributions) =>
    formatDecimal(contributions.map(({ value }) => readDecimal(value)).reduce(addDecimals)),
  rule: {
    name: 'added',
    merge: (cell, { value }) => {
      cell.value = formatDecimal(addDecimals(readDecimal(cell.value!), readDecimal(value)))
    },
    update: 'value = samples.value + excluded.value',
  },
  valueSql: ({ sum }) => sum,
}

/**
 * Sums a field, or the products of two. A cell has a sum whose digits are a safe integer (see `small-decimal.ts`) and a
 * `Decimal` for what is too large for that; the two add up to the value.
 */
class SumAccumulator implements Accumulator {
  readonly #field: number
  readonly #times: number | undefined
  #digits = new Float64Array(cellsFromStart)
  #scales = new Int8Array(cellsFromStart)
  readonly #large: (Decimal | undefined)[] = []

  constructor(field: number, times: number | undefined) {
    this.#field = field
    this.#times = times
  }

  grow(cells: number): void {
    this.#digits = widened.float64(this.#digits, cells)
    this.#scales = widened.int8(this.#scales, cells)
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
    if (!isSmall) {
      const decimal = slots.decimal(this.#field)
      const product =
        this.#times === undefined ? decimal : multiplyDecimals(decimal, slots.decimal(this.#times))
      return this.#addLarge(cell, product)
    }
    const sum = this.#digits[cell]!
    const sumScale = this.#scales[cell]!
    // The one with the smaller scale is raised to the other's. Beyond the largest power here, only 0 stays exact.
    const power = powersOfTen[Math.min(Math.abs(scale - sumScale), powersOfTen.length - 1)]!
    const left = sumScale < scale ? sum * power : sum
    const right = sumScale > scale ? digits * power : digits
    const total = left + right
    if (isExact(left) && isExact(right) && isExact(total)) {
      this.#digits[cell] = total
      this.#scales[cell] = Math.max(scale, sumScale)
      return
    }
    this.#addLarge(cell, { digits: BigInt(sum), scale: sumScale })
    this.#digits[cell] = digits
    this.#scales[cell] = scale
  }

  cellValue(cell: number): { value: string } {
    const small = { digits: BigInt(this.#digits[cell]!), scale: this.#scales[cell]! }
    const large = this.#large[cell]
    return { value: formatDecimal(large === undefined ? small : addDecimals(small, large)) }
  }

  #addLarge(cell: number, decimal: Decimal): void {
    const large = this.#large[cell]
    this.#large[cell] = large === undefined ? decimal : addDecimals(large, decimal)
  }
}
