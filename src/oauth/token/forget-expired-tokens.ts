import type { Context } from '../../context.ts'
import { deleteExpiredTokens } from './queries.ts'

/** Forgets the access tokens that open nothing any more. */
export const forgetExpiredTokens = (context: Pick<Context, 'pool' | 'clock'>): Promise<void> =>
  deleteExpiredTokens(context.pool, new Date(context.clock.now()))
