import type { Pool } from 'pg'
import { deleteExpiredBy } from '../database/expired-rows.ts'
import { deleteSigningSecretsEndedBy } from './queries.ts'

/** Deletes some of the signing secrets whose overlap was over at an instant (`DeleteExpired`). */
export function deleteEndedSigningSecrets(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteSigningSecretsEndedBy, context.pool, atMs)
}
