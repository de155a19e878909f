import type { Context } from '../service/context.ts'
import type { Actor } from './actor.ts'
import type { Company } from './company.ts'
import { selectOwners } from './queries.ts'
import { requireRole } from './require-role.ts'

/** A company with its owners, whom other members ask for what they may not do. */
export type CompanyWithOwners = Company & { owners: { memberId: string; name: string | null }[] }

/** A company, for its members. @throws 404 as `requireRole` */
export async function showCompany(
  context: Pick<Context, 'pool'>,
  actor: Actor,
  companyId: string,
): Promise<CompanyWithOwners> {
  const company = await requireRole(context.pool, actor, companyId, 'reader')
  const owners = await selectOwners.rows(context.pool, { companyId })
  return { ...company, owners: owners.map(({ member_id: memberId, name }) => ({ memberId, name })) }
}
