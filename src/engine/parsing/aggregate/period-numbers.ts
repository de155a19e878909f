import { type Period, periodStart } from '../../../formats/values/period.ts'
import { RowKeyTable } from '../../tables/row-key-table.ts'

/** The periods of one kind that have a row, numbered from 0 in the order of first use. */
export class PeriodNumbers {
  /** The number of the period of the latest `moveTo`. */
  current = 0

  readonly #period: Period
  readonly #starts: RowKeyTable

  constructor(period: Period, seed: number) {
    this.#period = period
    this.#starts = new RowKeyTable(1, seed)
  }

  get size(): number {
    return this.#starts.size
  }

  /** The number of a day's period, or -1 if it has none. */
  find(day: number): number {
    this.#starts.key[0] = periodStart(this.#period, day)
    return this.#starts.has() ? this.#starts.id() : -1
  }

  /** Makes the period of a day (counted from 1970-01-01) the current one. */
  moveTo(day: number): void {
    this.#starts.key[0] = periodStart(this.#period, day)
    this.current = this.#starts.id()
  }

  /** Called after the last row. */
  seal(): void {
    this.#starts.seal()
  }

  /** The first day of a period, counted from 1970-01-01. */
  start(number: number): number {
    return this.#starts.at(number, 0)
  }
}
