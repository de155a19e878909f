import type { Pool } from 'pg'
import { expiredRowsMax } from '../database/expired-rows.ts'
import { deleteSessionsEndedBy } from './queries.ts'

/** Deletes some of the sessions that had ended at an instant, milliseconds since 1970. Returns their number. */
export async function deleteExpiredSessions(context: { pool: Pool }, atMs: number): Promise<number> {
  const { rowCount } = await deleteSessionsEndedBy.run(context.pool, {
    at: new Date(atMs),
    rowsMax: expiredRowsMax,
  })
  return rowCount ?? 0
}
