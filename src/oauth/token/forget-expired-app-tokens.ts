import type { Context } from '../../context.ts'
import { deleteExpiredAppTokens } from './app-queries.ts'

/**
 * Forgets apps' tokens that are past their time. A refresh token's is the end of its connection, used or not: as long as the
 * connection lives, a second use is seen.
 */
export const forgetExpiredAppTokens = (context: Pick<Context, 'pool' | 'clock'>): Promise<void> =>
  deleteExpiredAppTokens(context.pool, new Date(context.clock.now()))
