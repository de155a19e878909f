import { expiredRowsMax, type DeleteExpired } from '../database/expired-rows.ts'
import { deleteSessionsEndedBy } from './queries.ts'

/** Deletes sessions that had ended. */
export const deleteExpiredSessions: DeleteExpired = async (context, atMs) =>
  (await deleteSessionsEndedBy.run(context.pool, { at: new Date(atMs), rowsMax: expiredRowsMax })).rowCount ??
  0
