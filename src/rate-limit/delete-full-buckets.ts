import type { Pool } from 'pg'
import { expiredRowsMax } from '../database/expired-rows.ts'
import { deleteBucketsFullBefore } from './queries.ts'

/**
 * Deletes the buckets of those who have not called for a while, at most `expiredRowsMax`, and gives their number: a bucket
 * never used is full too.
 */
export async function deleteFullBuckets(context: { pool: Pool }, atMs: number): Promise<number> {
  const params = { nowUs: atMs * 1_000, rowsMax: expiredRowsMax }
  return (await deleteBucketsFullBefore.run(context.pool, params)).rowCount ?? 0
}
