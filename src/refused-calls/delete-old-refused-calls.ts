import type { Pool } from 'pg'
import { expiredRowsMax } from '../database/expired-rows.ts'
import { deleteCalledBefore } from './queries.ts'

/** How long refused calls are shown, in milliseconds. Then the expiry sweep deletes them. */
export const keptMs = 30 * 24 * 60 * 60_000

/** Deletes the refused calls that were older than 30 days. */
export async function deleteOldRefusedCalls(context: { pool: Pool }, atMs: number): Promise<number> {
  const at = new Date(atMs - keptMs).toISOString()
  return (await deleteCalledBefore.run(context.pool, { at, limit: expiredRowsMax })).rowCount ?? 0
}
