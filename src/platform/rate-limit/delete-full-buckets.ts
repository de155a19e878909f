import type { Pool } from 'pg'
import { expiredRowsMax } from '../database/expired-rows.ts'
import { deleteBucketsFullBefore } from './queries.ts'

/**
 * Deletes some buckets that were full again at an instant, and gives their number (`DeleteExpired`): a bucket never
 * used is full too.
 */
export async function deleteFullBuckets(context: { pool: Pool }, atMs: number): Promise<number> {
  const params = { nowUs: atMs * 1_000, rowsMax: expiredRowsMax }
  return (await deleteBucketsFullBefore.run(context.pool, params)).rowCount ?? 0
}
