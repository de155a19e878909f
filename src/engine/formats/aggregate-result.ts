import type { AggregatedRows } from '../parsing/aggregate/delivery-aggregation.ts'

/** Content that turned out to be broken: none of its rows count [parse.states]. */
interface Unreadable {
  state: 'unreadable'
  /** One sentence that reveals nothing of the content. */
  reason: string
}

/** How the content of a delivery is aggregated. */
export interface AggregateOptions {
  /** Rows take the fast path where they can; the result is the same. */
  fast: boolean
  /** The last day, counted from 1970-01-01, that a row may have without a remark. */
  lastUsualDay: number
}

export type AggregateResult = AggregatedRows | Unreadable
