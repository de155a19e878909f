import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { releaseFurtherCompany } from '../connections/release-further-company.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import type { Actor } from '../companies/actor.ts'
import { lockCompany } from '../companies/lock-company.ts'
import { toMember, type Member } from './member.ts'
import { deleteInvitationsOf, selectMembership, updateRole } from './queries.ts'
import { requireOtherOwner } from './require-other-owner.ts'
import { requireRecentSignIn } from '../companies/require-recent-sign-in.ts'
import { requireRole } from '../companies/require-role.ts'
import { roleCovers, type Role } from '../access/role.ts'

/**
 * Gives a member another role. A reader manages no connections: when a member becomes one, the company is gone from the
 * connections that they let act on it as a further company [conn.end]; when an owner becomes something else, the links
 * with which they invited open nothing.
 *
 * @throws 403, 404 as `requireRole`; 403 `sign_in_again` for a new owner; 404 where they are no member; 409 `conflict` where they are the last owner
 */
export async function changeRole(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  actor: Actor,
  companyId: string,
  memberId: string,
  role: Role,
): Promise<Member> {
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await requireRole(client, actor, companyId, 'owner')
    if (role !== 'owner') await requireOtherOwner(client, companyId, memberId)
    const now = context.clock.now()
    const at = new Date(now)
    const before = await selectMembership.first(client, { companyId, memberId, at })
    if (before === undefined) throw notFound()
    if (role === 'owner' && before.role !== 'owner') requireRecentSignIn(context, actor)
    await updateRole.run(client, { companyId, memberId, role })
    if (role !== 'owner') await deleteInvitationsOf.run(client, { companyId, memberId })
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
    return toMember((await selectMembership.first(client, { companyId, memberId, at }))!)
  })
}
