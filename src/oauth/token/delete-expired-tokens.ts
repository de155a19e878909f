import { expiredRowsMax, type DeleteExpired } from '../../database/expired-rows.ts'
import { deleteExpiredTokens as deleteSome } from './queries.ts'

/** Deletes access tokens that opened nothing any more. */
export const deleteExpiredTokens: DeleteExpired = (context, atMs) =>
  deleteSome(context.pool, new Date(atMs), expiredRowsMax)
