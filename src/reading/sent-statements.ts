/**
 * Statements of one transaction that were sent without waiting for each other's answers. The server does them in the
 * order in which they were sent, and after one that fails none.
 */
export class SentStatements {
  readonly #answers: Promise<unknown>[] = []

  add(answer: Promise<unknown>): void {
    // Whether it is waited for or not: the transaction may have failed by then for another reason.
    answer.catch(() => {})
    this.#answers.push(answer)
  }

  /** Rejects with the fault of the first that failed. */
  async answered(): Promise<void> {
    await Promise.all(this.#answers)
  }
}
