import { type Accumulator, widened } from './accumulator.ts'
import { type Decimal, formatDecimal } from './decimal.ts'
import type { RowSlots } from './row-slots.ts'
import { formatEpochSeconds } from './timestamp.ts'

/** The number with the latest event time, of several the one whose row comes last. */
export class LastAccumulator implements Accumulator {
  readonly #field: number
  readonly #eventField: number
  #seconds = new Float64Array(0)
  readonly #fractions: string[] = []
  readonly #kept: Decimal[] = []

  constructor(field: number, eventField: number) {
    this.#field = field
    this.#eventField = eventField
  }

  grow(cells: number): void {
    this.#seconds = widened(this.#seconds, cells)
  }

  add(cell: number, slots: RowSlots, isFirst: boolean): void {
    const seconds = slots.seconds[this.#eventField]!
    const fraction = slots.fractions[this.#eventField]!
    if (!isFirst) {
      const kept = this.#seconds[cell]!
      if (seconds < kept || (seconds === kept && fraction < this.#fractions[cell]!)) return
    }
    this.#seconds[cell] = seconds
    this.#fractions[cell] = fraction
    this.#kept[cell] = slots.decimal(this.#field)
  }

  result(cell: number): { value: string; eventAt: string } {
    const instant = { seconds: this.#seconds[cell]!, fraction: this.#fractions[cell]! }
    return { value: formatDecimal(this.#kept[cell]!), eventAt: formatEpochSeconds(instant) }
  }
}
