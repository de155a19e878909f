import type { Queryable } from '../database/pool.ts'
import { readDatabaseTime } from './queries.ts'

/** What the database's clock says now, in milliseconds since 1970 (UTC), with fractions. */
export async function databaseTimeMs(on: Queryable): Promise<number> {
  return (await readDatabaseTime.first(on, {}))!.ms
}
