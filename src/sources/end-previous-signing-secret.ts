import type { Actor } from '../companies/actor.ts'
import { holdRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import { deletePreviousSigningSecrets, lockSourceRow } from './queries.ts'

/**
 * Ends the signing secret before the current one at once, where after a rotation it would work 24 hours more. Where there is
 * none, nothing changes.
 *
 * @returns whether there was one
 * @throws 403, 404 as `requireRole`; 404 where it is no source of the company
 */
export async function endPreviousSigningSecret(
  context: Pick<Context, 'pool'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<boolean> {
  return inTransaction(context.pool, async (client) => {
    await holdRole(client, actor, companyId, 'developer')
    if ((await lockSourceRow.first(client, { companyId, sourceId })) === undefined) throw notFound()
    const { rowCount } = await deletePreviousSigningSecrets.run(client, { companyId, sourceId })
    return (rowCount ?? 0) > 0
  })
}
