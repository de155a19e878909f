import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import { wholeSourceTimeoutMs } from '../../../platform/database/deadlines.ts'
import { createProjectionMaintainer } from '../../projections/maintain-projections.ts'
import { createParseWorker } from './parse-worker.ts'
import type { WorkerLog } from './worker-state.ts'
import { toShardSchema } from '../../../platform/database/schemas.ts'
import { endPool } from '../../../platform/database/pool.ts'
import { createWorkerPool } from './worker-pool.ts'

export interface ProjectionWorker extends AsyncDisposable {
  readonly pool: Pool
  /** One round of parsing and one step of projection maintenance, as the workers of a service do them. */
  work(): Promise<void>
}

/** Parses one shard alongside a deployment's services, or instead of them, while a command runs. */
export function openProjectionWorker(
  databaseUrl: string,
  shard: number,
  clock: Clock,
  log: WorkerLog,
): ProjectionWorker {
  const pool = createWorkerPool(databaseUrl, (error) => log.warn({ err: error }, 'a connection broke'), {
    statementTimeoutMs: wholeSourceTimeoutMs,
    schema: toShardSchema(shard),
  })
  const worker = createParseWorker({ pool, shard, clock, log })
  const projections = createProjectionMaintainer({
    pool,
    shard,
    clock,
    log: { info: () => {}, error: log.error.bind(log) },
  })
  return {
    pool,
    work: async () => {
      await projections.step()
      await worker.round()
    },
    [Symbol.asyncDispose]: () => endPool(pool),
  }
}
