import { type Accumulator, cellsFromStart } from './accumulator.ts'
import type { AggregationDefinition } from './aggregation-definition.ts'
import { CellNumbers } from './cell-numbers.ts'
import { replaceState } from './cell-rule.ts'
import { compareDecimals, readDecimal } from '../../formats/values/decimal.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import { formatEpochSeconds } from '../../formats/values/timestamp.ts'
import { widened } from '../tables/long-lists.ts'

const isLater = `(excluded.event_at, excluded.value_receive_number) > (samples.event_at, samples.value_receive_number)`

/** The number with the latest event time; of several deliveries' at one event time, that of the one received last. */
export const last: AggregationDefinition = {
  description: 'the number with the latest event time',
  words: {
    en: { name: 'Last by event time', field: 'Last of', sentence: 'Takes the last {{what}}' },
    sv: { name: 'Senaste efter händelsetid', field: 'Senaste av', sentence: 'Tar senaste {{what}}' },
  },
  counts: 'numbers',
  takesTimes: false,
  keeps: 'event_time',
  combines: null,
  accumulator: ({ field, eventField }) => new LastAccumulator(field, eventField),
  combine: (contributions) =>
    contributions.reduce((a, b) =>
      compareDecimals(readDecimal(b.eventAt!), readDecimal(a.eventAt!)) >= 0 ? b : a,
    ).value,
  rule: {
    name: 'last',
    merge: (cell, contribution) => {
      const order = compareDecimals(readDecimal(contribution.eventAt!), readDecimal(cell.eventAt!))
      if (order > 0 || (order === 0 && contribution.receiveNumber > cell.valueReceiveNumber!)) {
        replaceState(cell, contribution)
      }
    },
    update: `
    value = case when ${isLater} then excluded.value else samples.value end,
    event_at = case when ${isLater} then excluded.event_at else samples.event_at end,
    value_receive_number = case when ${isLater}
      then excluded.value_receive_number else samples.value_receive_number end`,
  },
  valueSql: ({ contributions }) => `(
          select contributions.value ${contributions}
          order by contributions.event_at desc, contributions.receive_number desc
          limit 1
        )`,
}

/** Of several rows with the latest event time, the last one counts. */
class LastAccumulator implements Accumulator {
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
      if (seconds < kept || (seconds === kept && fraction < this.#getFraction(cell))) return
    }
    this.#seconds[cell] = seconds
    if (fraction !== '') this.#fractions.set(cell, fraction)
    else if (!isFirst) this.#fractions.delete(cell)
    this.#kept.set(cell, slots, this.#field)
  }

  cellValue(cell: number): { value: string; eventAt: string } {
    const instant = { seconds: this.#seconds[cell]!, fraction: this.#getFraction(cell) }
    return { value: this.#kept.text(cell), eventAt: formatEpochSeconds(instant) }
  }

  #getFraction(cell: number): string {
    return this.#fractions.get(cell) ?? ''
  }
}
