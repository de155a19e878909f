/** What runs in the worker thread of `completion-checker.ts`: one completed order at a time. */
import { constants, platform, setPriority } from 'node:os'
import { checkCompletion, type CheckedCompletion, type CompletionToCheck } from './completion.ts'
import { NotVerified, type NotVerifiedReason } from './evidence/not-verified.ts'

/** An error of ours would come out of the thread as a plain one. */
export type CheckOutcome =
  ({ outcome: 'checked' } & CheckedCompletion) | { outcome: 'not_verified'; reason: NotVerifiedReason }

export default (task: CompletionToCheck): CheckOutcome => {
  try {
    return { outcome: 'checked', ...checkCompletion(task) }
  } catch (error) {
    if (error instanceof NotVerified) return { outcome: 'not_verified', reason: error.reason }
    throw error
  }
}

// The event loop goes first. Linux takes this for the calling thread, where others would for the whole process.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
