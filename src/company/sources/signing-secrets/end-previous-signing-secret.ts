import { recordAuditEvent } from '../../audit/record-audit-event.ts'
import type { Actor } from '../../../people/members/actor.ts'
import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { lockSource } from '../lock-source.ts'
import { deletePreviousSigningSecrets } from './queries.ts'

/**
 * Ends the previous signing secret, which would otherwise work for 24 hours after a rotation. Changes nothing if there is
 * none.
 *
 * @returns whether there was one
 * @throws 403, 404 as `requireRole`; 404 if the company has no such source
 */
export async function endPreviousSigningSecret(
  context: Pick<Context, 'pool' | 'shard' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<boolean> {
  return inTransaction(context.pool, async (client) => {
    const locked = await lockSource(context, client, actor, companyId, sourceId)
    const { rowCount } = await deletePreviousSigningSecrets.run(client, { companyId, sourceId })
    if ((rowCount ?? 0) === 0) return false
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'source_secret_ended',
      subject: { kind: 'source', id: sourceId, name: locked.name },
      atMs: context.clock.now(),
    })
    return true
  })
}
