import type { Pool } from 'pg'
import { deleteExpiredBy } from '../database/expired-rows.ts'
import { deleteRefusedCallsBefore } from './queries.ts'

/** How long refused calls are shown, in milliseconds. Then the expiry sweep deletes them. */
export const keptMs = 30 * 24 * 60 * 60_000

/** Deletes some of the refused calls that were older than 30 days at an instant (`DeleteExpired`). */
export function deleteOldRefusedCalls(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteRefusedCallsBefore, context.pool, atMs - keptMs)
}
