import { OverloadedError } from '../../../platform/database/overloaded-error.ts'
import { createThreadPool } from '../../../platform/threads/thread-pool.ts'
import type { CheckedCompletion, CompletionToCheck } from './completion.ts'
import type * as completionThread from './completion-thread.ts'
import { NotVerified } from './evidence/not-verified.ts'

/**
 * Completed orders that wait to be checked in one process, each with at most one answer of BankID (some 20 KB). Beyond it no
 * further order is polled. Those being polled are still accepted, because BankID gives a result only once.
 */
export const completionsWaitingMax = 64
/**
 * How long checking one order may take, its wait and the start of the thread included, in milliseconds. Then it counts as not
 * verified.
 */
export const completionMsMax = 10_000

/** Checks completed orders away from the event loop: signatures, certificates and OCSP responses. */
export interface CompletionChecker {
  /** Whether so many wait that no further order may be polled. */
  isFull(): boolean
  /**
   * Checks one as `checkCompletion` does.
   *
   * @throws NotVerified with the reason in a word
   */
  check(task: CompletionToCheck): Promise<CheckedCompletion>
  close(): Promise<void>
}

export function createCompletionChecker(msMax = completionMsMax): CompletionChecker {
  const module = new URL('completion-thread.ts', import.meta.url)
  const thread = createThreadPool<typeof completionThread>(module, {
    threadsMax: 1,
    startsEarly: true,
    msMax,
  })
  return {
    isFull: () => thread.waiting >= completionsWaitingMax,
    check: async (task) => {
      const answer = await thread.run('check', task).catch((error: unknown) => {
        throw error instanceof OverloadedError ? new NotVerified('too_slow') : error
      })
      if (answer.outcome === 'not_verified') throw new NotVerified(answer.reason)
      const { person, evidence } = answer
      return { person, evidence }
    },
    close: () => thread.close(),
  }
}
