import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import type { Actor } from '../../people/members/actor.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { lockRole } from '../../people/members/require-role.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import type { DirectoryContext } from '../../context.ts'
import { deleteOpenInvitation } from './queries.ts'

/**
 * Closes a link.
 *
 * @throws 403, 404 as `requireRole`; 404 if there is no open link of that id
 */
export async function withdrawInvitation(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  invitationId: string,
): Promise<void> {
  await inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await lockRole(client, actor, companyId, 'owner')
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
