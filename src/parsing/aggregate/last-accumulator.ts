import { type Accumulator, cellsFromStart } from './accumulator.ts'
import { CellNumbers } from './cell-numbers.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import { formatEpochSeconds } from '../../values/timestamp.ts'
import { widened } from '../tables/long-lists.ts'

/** The number with the latest event time; of several, that of the last row. */
export class LastAccumulator implements Accumulator {
  readonly #field: number
  readonly #eventField: number
  #seconds = new Float64Array(cellsFromStart)
  /** Of the cells whose event time is not a whole second. */
  readonly #fractions = new Map<number, string>()
  readonly #kept = new CellNumbers()

  constructor(field: number, eventField: number) {
    this.#field = field
    this.#eventField = eventField
  }

  grow(cells: number): void {
    this.#seconds = widened.float64(this.#seconds, cells)
    this.#kept.grow(cells)
  }

  add(cell: number, slots: RowSlots, isFirst: boolean): void {
    const seconds = slots.seconds[this.#eventField]!
    const fraction = slots.fractions[this.#eventField]!
    if (!isFirst) {
      const kept = this.#seconds[cell]!
      if (seconds < kept || (seconds === kept && fraction < this.#fractionOf(cell))) return
    }
    this.#seconds[cell] = seconds
    if (fraction !== '') this.#fractions.set(cell, fraction)
    else if (!isFirst) this.#fractions.delete(cell)
    this.#kept.set(cell, slots, this.#field)
  }

  cellValue(cell: number): { value: string; eventAt: string } {
    const instant = { seconds: this.#seconds[cell]!, fraction: this.#fractionOf(cell) }
    return { value: this.#kept.text(cell), eventAt: formatEpochSeconds(instant) }
  }

  #fractionOf(cell: number): string {
    return this.#fractions.get(cell) ?? ''
  }
}
