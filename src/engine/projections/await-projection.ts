import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { readProgress, type ProjectionKey } from './queries.ts'

/** A projection makes no progress: a delivery cannot be parsed, or no worker is running. */
export class ProjectionStuckError extends Error {
  override name = 'ProjectionStuckError'
}

const pauseMs = 20
/** How long there may be no progress, in milliseconds. Then waiting ends with a `ProjectionStuckError`. */
const stuckMsMax = 60_000

/**
 * Waits until every stored delivery is in a projection, or it has become the current one. `work` does some parsing and
 * projection maintenance, in case no other process is running.
 *
 * @throws ProjectionStuckError if there is no progress for a minute
 */
export async function awaitProjection(
  pool: Pool,
  projection: ProjectionKey,
  work: () => Promise<void>,
  stuckMs = stuckMsMax,
): Promise<void> {
  let seen = ''
  let seenAtMs = performance.now()
  for (;;) {
    await work()
    const progress = await readProgress.first(pool, projection)
    if (!progress || progress.state === 'current' || progress.state === 'retired') return
    if (progress.state === 'trial' && progress.enumerated && progress.waiting === 0) return
    const now = `${progress.enumerated} ${progress.waiting}`
    if (now !== seen) {
      seen = now
      seenAtMs = performance.now()
    } else if (performance.now() - seenAtMs > stuckMs) {
      throw new ProjectionStuckError(`${progress.waiting} deliveries cannot be parsed`)
    }
    await sleep(pauseMs)
  }
}
