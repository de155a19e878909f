import type { QueryResultRow } from 'pg'
import type { Parameters, Statement } from '../../database/define-statement.ts'
import type { Queryable } from '../../database/pool.ts'

/** Parameters of statements that have not been answered, at most: they are kept in memory until then. */
const bytesAheadMax = 2 * 1024 * 1024

interface Sent {
  answer: Promise<unknown>
  bytes: number
}

/**
 * Statements of one transaction that are sent without waiting for each other's answers. The server does them in the
 * order in which they were sent, and after one that fails none.
 */
export class PipelinedStatements {
  readonly #client: Queryable
  readonly #unanswered: Sent[] = []
  #bytesAhead = 0

  /** Of a pool whose connections are pipelined. */
  constructor(client: Queryable) {
    this.#client = client
  }

  /**
   * Sends a statement; waits first where too much is under way. Rejects with the fault of one that failed before.
   * `onRows` is given its rows once they are there.
   */
  async send<Row extends QueryResultRow, Params extends Parameters>(
    statement: Statement<Row, Params>,
    params: Params,
    onRows?: (rows: Row[]) => void,
  ): Promise<void> {
    let bytes = 0
    for (const param of statement.valuesOf(params)) if (Buffer.isBuffer(param)) bytes += param.length
    while (this.#bytesAhead + bytes > bytesAheadMax && this.#unanswered.length > 0) {
      const { answer, bytes: answered } = this.#unanswered[0]!
      await answer
      this.#unanswered.shift()
      this.#bytesAhead -= answered
    }
    this.#bytesAhead += bytes
    const answer = statement.rows(this.#client, params).then(onRows)
    // Whether it is waited for or not: the transaction may have failed by then for another reason.
    answer.catch(() => {})
    this.#unanswered.push({ answer, bytes })
  }

  /** Rejects with the fault of the first that failed. */
  async answered(): Promise<void> {
    for (const { answer } of this.#unanswered) await answer
  }
}
