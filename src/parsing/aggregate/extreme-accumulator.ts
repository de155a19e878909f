import type { Accumulator } from './accumulator.ts'
import { CellNumbers } from './cell-numbers.ts'
import type { RowSlots } from '../tables/row-slots.ts'

/** The smallest or the largest number of a field. */
export class ExtremeAccumulator implements Accumulator {
  readonly #field: number
  /** 1 keeps the largest, -1 the smallest. */
  readonly #sign: number
  readonly #kept = new CellNumbers()

  constructor(field: number, which: 'min' | 'max') {
    this.#field = field
    this.#sign = which === 'max' ? 1 : -1
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
