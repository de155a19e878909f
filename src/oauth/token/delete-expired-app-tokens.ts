import { expiredRowsMax, type DeleteExpired } from '../../database/expired-rows.ts'
import { deleteExpiredAppTokens as deleteSome } from './app-queries.ts'

/**
 * Deletes apps' tokens that were past their time. A refresh token's is the end of its connection, used or not: as long as the
 * connection lives, a second use is seen.
 */
export const deleteExpiredAppTokens: DeleteExpired = (context, atMs) =>
  deleteSome(context.pool, new Date(atMs), expiredRowsMax)
