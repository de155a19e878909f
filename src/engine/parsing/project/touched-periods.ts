import { lastAtMost } from '../../tables/last-at-most.ts'
import { longList } from '../../tables/long-lists.ts'
import { firstPeriodDay } from '../../../formats/values/period.ts'
import type { MetricContributions } from './contribution-batch.ts'

/** More than all parts of a batch can have, since its content has at most 8 MiB. */
const touchesMax = 2 ** 24

export interface TouchedPeriod {
  /** Its first day, counted from 1970-01-01. */
  readonly day: number
  /** The range of its touches. */
  readonly from: number
  readonly to: number
}

/** The periods that the parts of one metric touch, sorted by day. A touch is one part's mention of one period. */
export class TouchedPeriods {
  readonly parts: readonly MetricContributions[]
  /** By part: the number of its first touch. */
  readonly #firsts: number[] = []
  /** Sorted: a touch's day, times `touchesMax`, plus its number. So sorting needs no comparing function. */
  readonly #touches: Float64Array

  constructor(parts: readonly MetricContributions[]) {
    this.parts = parts
    let count = 0
    for (const { aggregated } of parts) {
      this.#firsts.push(count)
      count += aggregated.periods.size
    }
    if (count > touchesMax) throw new RangeError('a batch touches more periods than it may have bytes')
    this.#touches = longList.float64(count)
    for (const [index, { aggregated }] of parts.entries()) {
      for (let period = 0; period < aggregated.periods.size; period++) {
        const number = this.#firsts[index]! + period
        this.#touches[number] = (aggregated.periods.start(period) - firstPeriodDay) * touchesMax + number
      }
    }
    this.#touches.sort()
  }

  /** How many touches there are. */
  get size(): number {
    return this.#touches.length
  }

  *[Symbol.iterator](): Generator<TouchedPeriod> {
    const touches = this.#touches
    for (let from = 0, to = 0; from < touches.length; from = to) {
      const place = Math.floor(touches[from]! / touchesMax)
      while (to < touches.length && Math.floor(touches[to]! / touchesMax) === place) to++
      yield { day: place + firstPeriodDay, from, to }
    }
  }

  /** The part of the touch at `at`, and the period's number in that part. */
  touch(at: number): { contributions: MetricContributions; period: number } {
    const number = this.#touches[at]! % touchesMax
    const index = lastAtMost(this.#firsts, number)
    return { contributions: this.parts[index]!, period: number - this.#firsts[index]! }
  }
}
