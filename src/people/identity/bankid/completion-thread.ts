/** What runs in the worker thread of `completion-checker.ts`: one completed order at a time. */
import { constants, platform, setPriority } from 'node:os'
import { checkCompletion, type CheckedCompletion, type CompletionToCheck } from './completion.ts'
import { NotVerified, type NotVerifiedReason } from './evidence/not-verified.ts'

/** Errors lose their class between threads. */
type CheckOutcome =
  | ({ outcome: 'checked' } & CheckedCompletion)
  | { outcome: 'not_verified'; reason: NotVerifiedReason }

export function check(task: CompletionToCheck): CheckOutcome {
  try {
    return { outcome: 'checked', ...checkCompletion(task) }
  } catch (error) {
    if (error instanceof NotVerified) return { outcome: 'not_verified', reason: error.reason }
    throw error
  }
}

// The event loop comes first. On Linux this is the priority of the calling thread; elsewhere it would be the process's.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
