import { expiredRowsMax, type DeleteExpired } from '../database/expired-rows.ts'
import { deleteSigningSecretsEndedBy } from './queries.ts'

/** Deletes the signing secrets whose overlap was over. */
export const deleteEndedSigningSecrets: DeleteExpired = async (context, atMs) =>
  (await deleteSigningSecretsEndedBy.run(context.pool, { at: new Date(atMs), rowsMax: expiredRowsMax }))
    .rowCount ?? 0
