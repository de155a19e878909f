import { type Period, periodStart } from '../../values/period.ts'
import { RowKeyTable } from '../tables/row-key-table.ts'

/** The periods of one kind that have a row, numbered from 0 in the order of coming. */
export class PeriodNumbers {
  /** The number of the period in which the day given last lies. */
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

  /** The number that the period of a day has, or -1. */
  find(day: number): number {
    this.#starts.key[0] = periodStart(this.#period, day)
    return this.#starts.has() ? this.#starts.id() : -1
  }

  /** Numbers the period of a day, counted from 1970-01-01. */
  moveTo(day: number): void {
    this.#starts.key[0] = periodStart(this.#period, day)
    this.current = this.#starts.id()
  }

  /** Says that all days are there. */
  seal(): void {
    this.#starts.seal()
  }

  /** The first day of the period with a number, counted from 1970-01-01. */
  start(number: number): number {
    return this.#starts.at(number, 0)
  }
}
