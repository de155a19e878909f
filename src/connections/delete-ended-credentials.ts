import type { Pool } from 'pg'
import { deleteExpiredBy } from '../database/expired-rows.ts'
import { deleteCredentialsEndedBy } from './queries.ts'

/** Deletes some of the credentials whose overlap was over at an instant (`DeleteExpired`). */
export function deleteEndedCredentials(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteCredentialsEndedBy, context.pool, atMs)
}
