import { releaseFurtherCompany } from '../connections/release-further-company.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import type { Actor } from '../companies/actor.ts'
import { lockCompany } from '../companies/lock-company.ts'
import { toMember, type Member } from './member.ts'
import { selectMembership, updateRole } from './queries.ts'
import { requireOtherOwner } from './require-other-owner.ts'
import { requireRole } from '../companies/require-role.ts'
import { roleCovers, type Role } from '../access/role.ts'

/**
 * Gives a member another role. A reader manages no connections: when a member becomes one, the company is gone from the
 * connections that they let act on it as a further company [conn.end].
 *
 * @throws 403, 404 as `requireRole`; 404 where they are no member; 409 `conflict` where they are the last owner
 */
export async function changeRole(
  context: Pick<Context, 'pool'>,
  actor: Actor,
  companyId: string,
  memberId: string,
  role: Role,
): Promise<Member> {
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await requireRole(client, actor, companyId, 'owner')
    if (role !== 'owner') await requireOtherOwner(client, companyId, memberId)
    if ((await updateRole.first(client, { companyId, memberId, role })) === undefined) throw notFound()
    if (!roleCovers(role, 'developer')) await releaseFurtherCompany(client, memberId, companyId)
    return toMember((await selectMembership.first(client, { companyId, memberId }))!)
  })
}
