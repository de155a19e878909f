import { expiredRowsMax, type DeleteExpired } from '../database/expired-rows.ts'
import { deleteEndedSigningSecrets as deleteSome } from './queries.ts'

/** Deletes the signing secrets whose overlap was over. */
export const deleteEndedSigningSecrets: DeleteExpired = async (context, atMs) =>
  (await deleteSome.run(context.pool, [new Date(atMs), expiredRowsMax])).rowCount ?? 0
