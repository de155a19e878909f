import type { PoolClient } from 'pg'
import type { Queryable } from '../database/pool.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Actor } from './actor.ts'
import { toCompany, type Company } from './company.ts'
import { holdCompanyForMember, markOpened, selectCompany, selectCompanyForMember } from './queries.ts'
import { roleCovers, type Role } from '../access/role.ts'

/** A company, and what the actor is in it now; the operator is as good as an owner. */
export type ActorsCompany = Company & { role: Role }

async function findActorsCompany(
  on: Queryable,
  actor: Actor,
  companyId: string,
  forMember: typeof selectCompanyForMember,
): Promise<(ActorsCompany & { opened: boolean }) | undefined> {
  if (actor === 'operator') {
    const row = await selectCompany.first(on, { companyId })
    return row && { ...toCompany(row), role: 'owner', opened: true }
  }
  const row = await forMember.first(on, { companyId, memberId: actor.memberId })
  return row && { ...toCompany(row), role: row.role, opened: row.opened }
}

function checkRole<Found extends ActorsCompany>(company: Found | undefined, needed: Role): Found {
  if (company === undefined) throw notFound()
  if (!roleCovers(company.role, needed)) {
    throw new ApiError('permission_denied', `This needs the role ${needed} in the company.`)
  }
  return company
}

/**
 * The company, if the actor has the role at this moment. Looked up at every call, so that the loss of a membership
 * counts on the next one [roles]. For reads; what changes something uses `holdRole`. With the first of them since the
 * actor was added they have opened the company, which knows their name from then on.
 *
 * @throws 404 where there is no such company or the actor is no member of it, which look the same; 403
 *   `permission_denied` where their role is too low
 */
export async function requireRole(
  on: Queryable,
  actor: Actor,
  companyId: string,
  needed: Role,
): Promise<ActorsCompany> {
  const company = checkRole(await findActorsCompany(on, actor, companyId, selectCompanyForMember), needed)
  if (actor !== 'operator' && !company.opened) {
    await markOpened.run(on, { companyId, memberId: actor.memberId })
  }
  return company
}

/**
 * As `requireRole`, for the transaction of a change: until it is over the actor's membership neither ends nor changes.
 * Nothing is done, and no secret made, for somebody whose membership had ended by then. Any number of transactions may
 * hold a membership at once. One that changes it locks its company first (`lockCompany`) and no other membership, so
 * that several can be held in any order without a deadlock; a caller that also needs the company locked locks it first.
 *
 * @throws as `requireRole`
 */
export async function holdRole(
  client: PoolClient,
  actor: Actor,
  companyId: string,
  needed: Role,
): Promise<ActorsCompany> {
  return checkRole(await findActorsCompany(client, actor, companyId, holdCompanyForMember), needed)
}

/** Whether the actor has the role in each of the companies; if so, it is held as by `holdRole`. */
export async function holdRoleInEach(
  client: PoolClient,
  actor: Actor,
  companyIds: readonly string[],
  needed: Role,
): Promise<boolean> {
  for (const companyId of companyIds) {
    const company = await findActorsCompany(client, actor, companyId, holdCompanyForMember)
    if (company === undefined || !roleCovers(company.role, needed)) return false
  }
  return true
}
