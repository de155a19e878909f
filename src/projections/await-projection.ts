import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { readProgress } from './queries.ts'

/** A projection stands still: a delivery can not be read, or nobody reads. */
export class ProjectionStuckError extends Error {
  override name = 'ProjectionStuckError'
}

const pauseMs = 20
/** How long nothing may get on. Then the wait is given up with a `ProjectionStuckError`. Milliseconds. */
export const stuckMsMax = 60_000

/**
 * Waits until every stored delivery is in a projection, or it has become the current one. `work` does some of the reading and
 * of the maintenance of projections, where no other process may be running.
 *
 * @throws ProjectionStuckError where nothing gets on for a minute
 */
export const awaitProjection = async (
  pool: Pool,
  projection: { companyId: string; sourceId: string; projectionId: number },
  work: () => Promise<void>,
  stuckMs = stuckMsMax,
): Promise<void> => {
  let seen = ''
  let seenAtMs = performance.now()
  for (;;) {
    await work()
    const progress = await readProgress.first(pool, [
      projection.companyId,
      projection.sourceId,
      projection.projectionId,
    ])
    if (!progress || progress.state === 'current' || progress.state === 'retired') return
    if (progress.state === 'shadow' && progress.enumerated && progress.waiting === 0) return
    const now = `${progress.enumerated} ${progress.waiting}`
    if (now !== seen) {
      seen = now
      seenAtMs = performance.now()
    } else if (performance.now() - seenAtMs > stuckMs) {
      throw new ProjectionStuckError(`${progress.waiting} deliveries can not be read`)
    }
    await sleep(pauseMs)
  }
}
