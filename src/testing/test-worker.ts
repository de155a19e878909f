import type { Pool } from 'pg'
import { afterAll } from 'vitest'
import { createParseWorker, type ParseWorker } from '../parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../parsing/worker/worker-pool.ts'
import type { TestService } from './test-service.ts'

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
  return { worker: createParseWorker({ pool, clock: context.clock, log: context.log }), pool }
}
