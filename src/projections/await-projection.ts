import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { readProgress } from './queries.ts'

/** A fold stands still: a delivery can not be read, or nobody reads. */
export class FoldStuckError extends Error {
  override name = 'FoldStuckError'
}

const pauseMs = 20
/** How long nothing may get on. Then the wait is given up with a `FoldStuckError`. Milliseconds. */
export const stuckMsMax = 60_000

/**
 * Waits until every stored delivery is in a fold, or it has become the current one. `work` does some of the reading and
 * of the chores of folds, where no other process may be running.
 *
 * @throws FoldStuckError where nothing gets on for a minute
 */
export const awaitFold = async (
  pool: Pool,
  fold: { companyId: string; sourceId: string; foldId: number },
  work: () => Promise<void>,
  stuckMs = stuckMsMax,
): Promise<void> => {
  let seen = ''
  let seenAtMs = performance.now()
  for (;;) {
    await work()
    const progress = await readProgress.first(pool, [fold.companyId, fold.sourceId, fold.foldId])
    if (!progress || progress.state === 'current' || progress.state === 'retired') return
    if (progress.state === 'shadow' && progress.enumerated && progress.waiting === 0) return
    const now = `${progress.enumerated} ${progress.waiting}`
    if (now !== seen) {
      seen = now
      seenAtMs = performance.now()
    } else if (performance.now() - seenAtMs > stuckMs) {
      throw new FoldStuckError(`${progress.waiting} deliveries can not be read`)
    }
    await sleep(pauseMs)
  }
}
