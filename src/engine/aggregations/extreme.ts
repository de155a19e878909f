import { compareDecimals, formatDecimal, readDecimal } from '../../formats/values/decimal.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import type { Accumulator } from './accumulator.ts'
import type { AggregationDefinition } from './aggregation-definition.ts'
import { CellNumbers } from './cell-numbers.ts'

/** The definition of `min` (`sign` is -1) or `max` (1). */
export function extreme(
  which: 'min' | 'max',
  sign: -1 | 1,
  description: string,
  words: AggregationDefinition['words'],
): AggregationDefinition {
  return {
    description,
    words,
    counts: 'numbers',
    takesTimes: false,
    keeps: null,
    combines: which,
    accumulator: ({ field }) => new ExtremeAccumulator(field, sign),
    combine: (contributions) => {
      const values = contributions.map(({ value }) => readDecimal(value))
      return formatDecimal(values.reduce((a, b) => (compareDecimals(b, a) * sign > 0 ? b : a)))
    },
    rule: {
      name: sign < 0 ? 'least' : 'greatest',
      merge: (cell, { value }) => {
        if (compareDecimals(readDecimal(value), readDecimal(cell.value!)) * sign > 0) cell.value = value
      },
      update: `value = ${sign < 0 ? 'least' : 'greatest'}(samples.value, excluded.value)`,
    },
    valueSql: ({ contributions }) => `(select ${which}(contributions.value) ${contributions})`,
  }
}

class ExtremeAccumulator implements Accumulator {
  readonly #field: number
  readonly #sign: -1 | 1
  readonly #kept = new CellNumbers()

  constructor(field: number, sign: -1 | 1) {
    this.#field = field
    this.#sign = sign
  }

  grow(cells: number): void {
    this.#kept.grow(cells)
  }

  add(cell: number, slots: RowSlots, isFirst: boolean): void {
    if (isFirst || this.#kept.compare(cell, slots, this.#field) * this.#sign > 0) {
      this.#kept.set(cell, slots, this.#field)
    }
  }

  cellValue(cell: number): { value: string } {
    return { value: this.#kept.text(cell) }
  }
}
