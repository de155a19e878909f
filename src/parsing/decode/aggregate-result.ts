import type { AggregatedRows } from '../aggregate/delivery-aggregation.ts'

/** Content that reading finds broken: no row of it counts [parse.states]. */
export interface Unreadable {
  state: 'unreadable'
  /** One sentence, without anything of the content. */
  reason: string
}

export type AggregateResult = AggregatedRows | Unreadable
