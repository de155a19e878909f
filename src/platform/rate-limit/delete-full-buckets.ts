import { deletesFrom, expiredRowsMax } from '../database/expired-rows.ts'
import { deleteBucketsFullBefore } from './queries.ts'

/** Deletes buckets that were full again at an instant: a bucket without a row is full too. */
export const deleteFullBuckets = deletesFrom('rate_buckets', async ({ pool }, atMs) => {
  const { rowCount } = await deleteBucketsFullBefore.run(pool, {
    nowUs: atMs * 1_000,
    rowsMax: expiredRowsMax,
  })
  return rowCount ?? 0
})
