import type { Pool } from 'pg'
import { expiredRowsMax } from '../database/expired-rows.ts'
import { deleteSigningSecretsEndedBy } from './queries.ts'

/** Deletes the signing secrets whose overlap was over. */
export async function deleteEndedSigningSecrets(context: { pool: Pool }, atMs: number): Promise<number> {
  const { rowCount } = await deleteSigningSecretsEndedBy.run(context.pool, {
    at: new Date(atMs),
    rowsMax: expiredRowsMax,
  })
  return rowCount ?? 0
}
