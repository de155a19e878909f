import type { PoolClient } from 'pg'
import type { Queryable } from '../database/pool.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Actor } from './actor.ts'
import { toCompany, type Company } from './company.ts'
import { holdCompanyForMember, selectCompany, selectCompanyForMember } from './queries.ts'
import { roleCovers, type Role } from '../access/role.ts'

/** A company, and what the actor is in it now; the operator is as good as an owner. */
export type ActorsCompany = Company & { role: Role }

const findActorsCompany = async (
  on: Queryable,
  actor: Actor,
  companyId: string,
  forMember: typeof selectCompanyForMember,
): Promise<ActorsCompany | undefined> => {
  if (actor === 'operator') {
    const row = await selectCompany.first(on, [companyId])
    return row && { ...toCompany(row), role: 'owner' }
  }
  const row = await forMember.first(on, [companyId, actor.memberId])
  return row && { ...toCompany(row), role: row.role }
}

const checkRole = (company: ActorsCompany | undefined, needed: Role): ActorsCompany => {
  if (company === undefined) throw notFound()
  if (!roleCovers(company.role, needed)) {
    throw new ApiError('permission_denied', `This needs the role ${needed} in the company.`)
  }
  return company
}

/**
 * The company, if the actor may do at this moment what the role is needed for. Looked up at every call, so that a
 * membership that is lost counts on the next one [roles]. For what is read; what changes something uses
 * `holdRole`.
 *
 * @throws 404 where there is no such company or the actor is no member of it, which nobody can tell apart; 403
 *   `permission_denied` where their role does not reach
 */
export const requireRole = async (
  on: Queryable,
  actor: Actor,
  companyId: string,
  needed: Role,
): Promise<ActorsCompany> =>
  checkRole(await findActorsCompany(on, actor, companyId, selectCompanyForMember), needed)

/**
 * As `requireRole`, for the transaction of a change: until it is over the actor's membership neither ends nor changes.
 * Nothing is done, and no secret made, for somebody whose membership had ended by then. Any number may hold a membership at
 * once. Who changes one locks its company before it (`lockCompany`) and no other membership, so that holding several cannot
 * deadlock, in whatever order; who needs the company locked as well locks it before calling this.
 *
 * @throws as `requireRole`
 */
export const holdRole = async (
  client: PoolClient,
  actor: Actor,
  companyId: string,
  needed: Role,
): Promise<ActorsCompany> =>
  checkRole(await findActorsCompany(client, actor, companyId, holdCompanyForMember), needed)

/** Whether the actor has the role in each of the companies; if so it is held as by `holdRole`. */
export const holdRoleInEach = async (
  client: PoolClient,
  actor: Actor,
  companyIds: readonly string[],
  needed: Role,
): Promise<boolean> => {
  for (const companyId of companyIds) {
    const company = await findActorsCompany(client, actor, companyId, holdCompanyForMember)
    if (company === undefined || !roleCovers(company.role, needed)) return false
  }
  return true
}
