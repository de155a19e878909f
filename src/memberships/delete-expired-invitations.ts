import type { Pool } from 'pg'
import { expiredRowsMax } from '../database/expired-rows.ts'
import { deleteInvitationsExpiredBy } from './queries.ts'

/** Deletes some of the links whose time was over at an instant, used or not. Returns their number. */
export async function deleteExpiredInvitations(context: { pool: Pool }, atMs: number): Promise<number> {
  const { rowCount } = await deleteInvitationsExpiredBy.run(context.pool, {
    at: new Date(atMs),
    rowsMax: expiredRowsMax,
  })
  return rowCount ?? 0
}
