import type { DeleteExpired } from '../database/expired-rows.ts'
import { deleteFullBuckets as deleteSome } from '../access/queries.ts'

/** Deletes the buckets of whoever has not called for a while: a bucket never used is full too. */
export const deleteFullBuckets: DeleteExpired = (context, atMs) => deleteSome(context.pool, atMs)
