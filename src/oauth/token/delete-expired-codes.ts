import { expiredRowsMax, type DeleteExpired } from '../../database/expired-rows.ts'
import { deleteExpiredCodes as deleteSome } from './app-queries.ts'

/** Deletes codes that nobody came for in their five minutes, and used ones whose connection was past its end. */
export const deleteExpiredCodes: DeleteExpired = (context, atMs) =>
  deleteSome(context.pool, new Date(atMs), expiredRowsMax)
