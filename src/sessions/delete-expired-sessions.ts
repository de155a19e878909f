import { expiredRowsMax, type DeleteExpired } from '../database/expired-rows.ts'
import { deleteExpiredSessions as deleteSome } from './queries.ts'

/** Deletes sessions that had ended. */
export const deleteExpiredSessions: DeleteExpired = async (context, atMs) =>
  (await deleteSome.run(context.pool, [new Date(atMs), expiredRowsMax])).rowCount ?? 0
