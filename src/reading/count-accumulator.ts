import { type Accumulator, widened } from './accumulator.ts'
import type { RowSlots } from './row-slots.ts'

/** Counts rows. */
export class CountAccumulator implements Accumulator {
  #counts = new Float64Array(0)

  grow(cells: number): void {
    this.#counts = widened(this.#counts, cells)
  }

  add(cell: number, _slots: RowSlots): void {
    this.#counts[cell]!++
  }

  result(cell: number): { value: string } {
    return { value: String(this.#counts[cell]!) }
  }
}
