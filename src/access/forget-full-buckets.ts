import type { Context } from '../context.ts'
import { deleteFullBuckets } from './queries.ts'

/** Forgets the buckets of whoever has not called for a while: a bucket never used is full too. */
export const forgetFullBuckets = (context: Pick<Context, 'pool' | 'clock'>): Promise<void> =>
  deleteFullBuckets(context.pool, context.clock.now())
