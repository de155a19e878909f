import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.ts'
import { wholeSourceTimeoutMs } from './queries.ts'
import { createFoldMaintainer } from './maintain-projections.ts'
import { createReader, type ReaderLog } from '../parsing/worker/parse-worker.ts'
import { endPool } from '../database/pool.ts'
import { createReaderPool } from '../parsing/worker/worker-pool.ts'

export interface FoldWorker extends AsyncDisposable {
  readonly pool: Pool
  /** One round of reading and one step of the chores of folds, as a service's readers do them. */
  work(): Promise<void>
}

/** Reads along with the services of a deployment, or in their place, for as long as a command runs. */
export const openFoldWorker = (databaseUrl: string, clock: Clock, log: ReaderLog): FoldWorker => {
  const pool = createReaderPool(
    databaseUrl,
    (error) => log.warn({ err: error }, 'a connection broke'),
    wholeSourceTimeoutMs,
  )
  const reader = createReader({ pool, clock, log })
  const folds = createFoldMaintainer({ pool, clock, log: { info: () => {}, error: log.error.bind(log) } })
  return {
    pool,
    work: async () => {
      await folds.step()
      await reader.round()
    },
    [Symbol.asyncDispose]: () => endPool(pool),
  }
}
