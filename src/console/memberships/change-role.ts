import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { releaseFurtherCompany } from '../../company/connections/release-further-company.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import type { Actor } from '../../people/members/actor.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { deleteMemberInvitations, selectMembership } from './queries.ts'
import type { Member } from './member.ts'
import { requireOtherOwner } from './require-other-owner.ts'
import { setRole } from '../../people/members/change-membership.ts'
import { requireRecentSignIn } from '../../people/members/require-recent-sign-in.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { roleCovers, type Role } from '../../people/access/role.ts'

/**
 * Gives a member another role. A reader manages no connections: the company is removed from the connections that a new reader
 * let act on it as a further company [conn.end]. The invitation links of an owner who becomes something else are deleted.
 *
 * @throws 403, 404 as `requireRole`; 403 `sign_in_again` for a new owner; 404 if they are not a member; 409 `conflict` if they are
 *   the last owner
 */
export async function changeRole(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  actor: Actor,
  companyId: string,
  memberId: string,
  role: Role,
): Promise<Member> {
  return inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await requireRole(client, actor, companyId, 'owner')
    await requireKept(client, companyId)
    if (role !== 'owner') await requireOtherOwner(client, companyId, memberId)
    const now = context.clock.now()
    const at = new Date(now)
    const before = await selectMembership.first(client, { companyId, memberId, at })
    if (before === undefined) throw notFound()
    if (role === 'owner' && before.role !== 'owner') requireRecentSignIn(context, actor)
    await setRole(client, companyId, memberId, role)
    if (role !== 'owner') await deleteMemberInvitations.run(client, { companyId, memberId })
    if (!roleCovers(role, 'developer')) await releaseFurtherCompany(client, memberId, companyId)
    if (before.role !== role) {
      await recordAuditEvent(client, {
        companyId,
        actor,
        action: 'member_role_changed',
        subject: { kind: 'member', id: memberId, name: before.name ?? before.label },
        details: { role, previous_role: before.role },
        atMs: now,
      })
    }
    return (await selectMembership.first(client, { companyId, memberId, at }))!
  })
}
