import type { QueryResultRow } from 'pg'
import type { Parameters, Statement } from '../../../platform/database/define-statement.ts'
import type { Queryable } from '../../../platform/database/pool.ts'

/** Bytes of parameters of unanswered statements, which stay in memory until the answer. */
const bytesAheadMax = 2 * 1024 * 1024

interface Sent {
  answer: Promise<unknown>
  bytes: number
}

/**
 * Statements of one transaction that are sent without waiting for each other's answers. The server runs them in order,
 * and none after one that fails.
 */
export class PipelinedStatements {
  readonly #client: Queryable
  readonly #unanswered: Sent[] = []
  #bytesAhead = 0

  /** The client must be of a pool whose connections are pipelined. */
  constructor(client: Queryable) {
    this.#client = client
  }

  /**
   * Sends a statement, first waiting if too much is under way. Rejects with the error of an earlier one that failed.
   * `onRows` is called with its rows when they arrive.
   */
  async send<Row extends QueryResultRow, Params extends Parameters>(
    statement: Statement<Row, Params>,
    params: Params,
    onRows?: (rows: Row[]) => void,
  ): Promise<void> {
    let bytes = 0
    for (const param of statement.toValues(params)) if (Buffer.isBuffer(param)) bytes += param.length
    while (this.#bytesAhead + bytes > bytesAheadMax && this.#unanswered.length > 0) {
      const { answer, bytes: answered } = this.#unanswered[0]!
      await answer
      this.#unanswered.shift()
      this.#bytesAhead -= answered
    }
    this.#bytesAhead += bytes
    const answer = statement.rows(this.#client, params).then(onRows)
    // No one may await it: the transaction may fail for another reason before that.
    answer.catch(() => {})
    this.#unanswered.push({ answer, bytes })
  }

  /** Waits for all answers. Rejects with the error of the first statement that failed. */
  async answered(): Promise<void> {
    for (const { answer } of this.#unanswered) await answer
  }
}
