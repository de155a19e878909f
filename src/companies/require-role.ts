import type { Queryable } from '../database/pool.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Actor } from './actor.ts'
import { toCompany, type Company } from './company.ts'
import { selectCompany, selectCompanyForMember } from './queries.ts'
import { roleCovers, type Role } from './role.ts'

/**
 * The company, if the actor may do at this moment what the role is needed for. Looked up at every call, so that a
 * membership that is lost counts on the next one (reading `roles`).
 *
 * @throws 404 where there is no such company or the actor is no member of it, which nobody can tell apart; 403
 *   `permission_denied` where their role does not reach
 */
export const requireRole = async (
  on: Queryable,
  actor: Actor,
  companyId: string,
  needed: Role,
): Promise<Company> => {
  if (actor === 'operator') {
    const row = await selectCompany.first(on, [companyId])
    if (row === undefined) throw notFound()
    return toCompany(row)
  }
  const row = await selectCompanyForMember.first(on, [companyId, actor.memberId])
  if (row === undefined) throw notFound()
  if (!roleCovers(row.role, needed)) {
    throw new ApiError('permission_denied', `This needs the role ${needed} in the company.`)
  }
  return toCompany(row)
}
