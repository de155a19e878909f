import { Piscina } from 'piscina'
import type { CheckedCompletion, CompletionToCheck } from './completion.ts'
import type { CheckOutcome } from './completion-thread.ts'
import { NotVerified } from './evidence/not-verified.ts'

/**
 * Completed orders of one process that wait to be checked, each with some 20 KB, an answer of BankID at most. While there are
 * so many no further one is asked about, but those that were being asked about still come: BankID gives a result once, so that
 * none can be sent away.
 */
export const completionsWaitingMax = 64
/**
 * How long checking one may take, the wait and the thread's start included, in milliseconds. Then it does not hold, and the
 * thread is ended.
 */
export const completionMsMax = 10_000

/** Checks completed orders away from the event loop: signatures, certificates and OCSP responses. */
export interface CompletionChecker {
  /** So many wait that no further order may be asked about. */
  isFull(): boolean
  /**
   * Checks one as `checkCompletion`.
   *
   * @throws NotVerified with the reason in a word
   */
  check(task: CompletionToCheck): Promise<CheckedCompletion>
  close(): Promise<void>
}

/** The thread starts with the process, so that the first person does not wait for it. */
export function createCompletionChecker(msMax = completionMsMax): CompletionChecker {
  const thread = new Piscina({
    filename: new URL('completion-thread.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    recordTiming: false,
  })
  return {
    isFull: () => thread.queueSize >= completionsWaitingMax,
    check: async (task) => {
      const signal = AbortSignal.timeout(msMax)
      const answer = (await thread.run(task, { signal }).catch((error: unknown) => {
        if (signal.aborted) throw new NotVerified('too_slow')
        throw error
      })) as CheckOutcome
      if (answer.outcome === 'not_verified') throw new NotVerified(answer.reason)
      const { person, evidence } = answer
      return { person, evidence }
    },
    close: () => thread.destroy(),
  }
}
