import type { Pool } from 'pg'
import { deleteExpiredBy } from '../database/expired-rows.ts'
import { deleteSessionsEndedBy } from './queries.ts'

/** Deletes some of the sessions that had ended at an instant (`DeleteExpired`). */
export function deleteExpiredSessions(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteSessionsEndedBy, context.pool, atMs)
}
