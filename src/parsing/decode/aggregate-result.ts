import type { AggregatedRows } from '../aggregate/delivery-aggregation.ts'

/** Content that turned out to be broken: none of its rows count [parse.states]. */
export interface Unreadable {
  state: 'unreadable'
  /** One sentence that reveals nothing of the content. */
  reason: string
}

export type AggregateResult = AggregatedRows | Unreadable
