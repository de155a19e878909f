import type { Queryable } from '../database/pool.ts'
import { monotonicClock } from './clock.ts'
import { readDatabaseTime } from './queries.ts'

/** The database's current time, in milliseconds since 1970 (UTC), with fractions. */
export async function databaseTimeMs(on: Queryable): Promise<number> {
  return (await readDatabaseTime.first(on, {}))!.ms
}

/**
 * The database's clock from now on without a query, advanced by the monotonic clock. For short times, since the two drift
 * apart.
 *
 * @param nowMs from `databaseTimeMs`, or from a statement that has just answered
 */
export function createDatabaseTimeEstimate(nowMs: number): () => number {
  const aheadMs = nowMs - monotonicClock.now()
  return () => monotonicClock.now() + aheadMs
}
