import type { Pool } from 'pg'
import { afterAll } from 'vitest'
import { createParseWorker, type ParseWorker } from '../../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../src/engine/parsing/worker/worker-pool.ts'
import { createTestClock } from './test-clock.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import type { TestService } from './test-service.ts'
import { firstShard } from '../../src/platform/database/schemas.ts'

/**
 * What reads deliveries into samples, when a test says `worker.drain()`, and its connections. To be called at the top of a
 * file, behind `startTestService`.
 */
export function startTestWorker({ database, context }: Pick<TestService, 'database' | 'context'>): {
  worker: ParseWorker
  pool: Pool
} {
  const pool = createWorkerPool(database.url, () => {})
  afterAll(() => pool.end())
  return {
    worker: createParseWorker({ pool, shard: firstShard, clock: context.clock, log: context.log }),
    pool,
  }
}

export const quietLog = { info: () => {}, warn: () => {}, error: () => {} }

type WorkerOptions = Partial<Parameters<typeof createParseWorker>[0]>

export interface WorkerDatabase {
  database: TestDatabase
  /** The connections of its workers. */
  pool: Pool
  /** A worker independent of the others; by default its clock does not move and its log is discarded. */
  newWorker(options?: WorkerOptions): ParseWorker
}

/** A database and workers without a service, for the tests of one file. To be called at its top. */
export async function startWorkerDatabase(clock = createTestClock()): Promise<WorkerDatabase> {
  const database = await createTestDatabase()
  const pool = createWorkerPool(database.url, () => {})
  afterAll(async () => {
    if (!pool.ended) await pool.end()
    await database[Symbol.asyncDispose]()
  })
  return {
    database,
    pool,
    newWorker: (options = {}) =>
      createParseWorker({ pool, shard: firstShard, clock, log: quietLog, ...options }),
  }
}

/** Connections of a worker that is killed instead of sending the statement of this name. To be ended by the caller. */
export function createDyingPool(
  { url, pool }: TestDatabase,
  statement: string,
): { pool: Pool; end: () => Promise<void> } {
  const dying = createWorkerPool(url, () => {})
  const killed = new Proxy(dying, {
    get: (target, name) => {
      if (name === 'query') return target.query.bind(target)
      if (name !== 'connect') return Reflect.get(target, name)
      return async () => {
        const client = await target.connect()
        const query = client.query.bind(client)
        client.query = (async (config: { name?: string }, ...rest: never[]) => {
          if (config.name !== statement) return query(config as never, ...rest)
          const { rows } = await query('select pg_backend_pid() as pid')
          // Waits for the end of the session, which releases its locks.
          await pool.query('select pg_terminate_backend($1::integer, 10000)', [rows[0].pid])
          return query('select 1')
        }) as typeof client.query
        return client
      }
    },
  })
  return { pool: killed, end: () => dying.end() }
}
