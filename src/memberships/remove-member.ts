import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { releaseFurtherCompany } from '../connections/release-further-company.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import type { Actor } from '../companies/actor.ts'
import { lockCompany } from '../companies/lock-company.ts'
import { deleteInvitationsOf, deleteMembership, selectMembership } from './queries.ts'
import { requireOtherOwner } from './require-other-owner.ts'
import { requireRole } from '../companies/require-role.ts'

/**
 * Ends a membership; it counts from the next call. Owners may end anyone's, and all members their own. Connections that
 * they made for the company stay; it is gone from those that they let act on it as a further company [conn.end], and
 * links with which they invited open nothing.
 *
 * @throws 403, 404 as `requireRole`; 404 where they are no member; 409 `conflict` where they are the last owner
 */
export async function removeMember(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  memberId: string,
): Promise<void> {
  const leaves = actor !== 'operator' && actor.memberId === memberId
  await inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await requireRole(client, actor, companyId, leaves ? 'reader' : 'owner')
    await requireOtherOwner(client, companyId, memberId)
    const now = context.clock.now()
    const member = await selectMembership.first(client, { companyId, memberId, at: new Date(now) })
    if (member === undefined) throw notFound()
    await deleteMembership.run(client, { companyId, memberId })
    await deleteInvitationsOf.run(client, { companyId, memberId })
    await releaseFurtherCompany(client, memberId, companyId)
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: leaves ? 'member_left' : 'member_removed',
      subject: { kind: 'member', id: memberId, name: member.name ?? member.label },
      details: { role: member.role },
      atMs: now,
    })
  })
}
