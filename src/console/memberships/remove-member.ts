import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { releaseFurtherCompany } from '../../company/connections/release-further-company.ts'
import { endLinksOf } from '../../company/links/manage-links.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import type { Actor } from '../../people/members/actor.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { deleteMemberInvitations, selectMembership } from './queries.ts'
import { endMembership } from '../../people/members/change-membership.ts'
import { requireOtherOwner } from './require-other-owner.ts'
import { requireRole } from '../../people/members/require-role.ts'

/**
 * Ends a membership, from the next call. Owners may end anyone's, and all members their own. The company's own connections
 * stay; the company is removed from those that the member let act on it as a further company [conn.end], and the member's
 * invitation links and read-only links are deleted.
 *
 * @throws 403, 404 as `requireRole`; 404 if they are not a member; 409 `conflict` if they are the last owner
 */
export async function removeMember(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  memberId: string,
): Promise<void> {
  const leaves = actor !== 'operator' && actor.memberId === memberId
  await inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await requireRole(client, actor, companyId, leaves ? 'reader' : 'owner')
    // Of the owners, each can withdraw a deletion: none removes another until then.
    if (!leaves) await requireKept(client, companyId)
    await requireOtherOwner(client, companyId, memberId)
    const now = context.clock.now()
    const member = await selectMembership.first(client, { companyId, memberId, at: new Date(now) })
    if (member === undefined) throw notFound()
    await endMembership(client, companyId, memberId)
    await deleteMemberInvitations.run(client, { companyId, memberId })
    await releaseFurtherCompany(client, memberId, companyId)
    await endLinksOf(client, companyId, memberId)
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
