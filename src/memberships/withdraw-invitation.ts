import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Actor } from '../companies/actor.ts'
import { lockCompany } from '../companies/lock-company.ts'
import { holdRole } from '../companies/require-role.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import type { Context } from '../service/context.ts'
import { deleteOpenInvitation } from './queries.ts'

/**
 * Withdraws a link: it opens nothing from now on.
 *
 * @throws 403, 404 as `requireRole`; 404 where there is no link of that id that may still be used
 */
export async function withdrawInvitation(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  invitationId: string,
): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await holdRole(client, actor, companyId, 'owner')
    const now = context.clock.now()
    const at = new Date(now)
    const withdrawn = await deleteOpenInvitation.first(client, { companyId, invitationId, at })
    if (withdrawn === undefined) throw notFound()
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'invitation_withdrawn',
      subject: { kind: 'invitation', id: invitationId, name: withdrawn.label },
      details: { role: withdrawn.role },
      atMs: now,
    })
  })
}
