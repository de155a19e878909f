import type { Queryable } from '../database/pool.ts'
import { monotonicClock } from './clock.ts'
import { readDatabaseTime } from './queries.ts'

/** What the database's clock says now, in milliseconds since 1970 (UTC), with fractions. */
export async function databaseTimeMs(on: Queryable): Promise<number> {
  return (await readDatabaseTime.first(on, {}))!.ms
}

/**
 * The database's clock, from now on without a query: as the monotonic clock goes on from what it said now. For moments, since
 * the two drift apart.
 *
 * @param nowMs what `databaseTimeMs`, or a statement that was answered just now, said
 */
export function createDatabaseTimeEstimate(nowMs: number): () => number {
  const aheadMs = nowMs - monotonicClock.now()
  return () => monotonicClock.now() + aheadMs
}
