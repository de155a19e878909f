import type { PoolClient } from 'pg'
import type { Queryable } from '../../platform/database/pool.ts'
import { ApiError, notFound } from '../../platform/http/errors/errors.ts'
import { roleCovers, type Role } from '../access/role.ts'
import { toCompany, type Company } from '../companies/company.ts'
import { findCompanyById } from '../companies/find-company.ts'
import type { Actor } from './actor.ts'
import { markOpened, selectCompanyForMember, shareMembership } from './queries.ts'

/** A company, and the actor's present role in it; the operator counts as an owner. */
export type ActorsCompany = Company & { role: Role }

async function findActorsCompany(
  on: Queryable,
  actor: Actor,
  companyId: string,
): Promise<(ActorsCompany & { opened: boolean }) | undefined> {
  if (actor === 'operator') {
    const company = await findCompanyById(on, companyId)
    return company && { ...company, role: 'owner', opened: true }
  }
  const row = await selectCompanyForMember.first(on, { companyId, memberId: actor.memberId })
  return row && { ...toCompany(row), role: row.role, opened: row.opened }
}

async function lockActorsCompany(
  client: PoolClient,
  actor: Actor,
  companyId: string,
): Promise<ActorsCompany | undefined> {
  if (actor !== 'operator') await shareMembership.run(client, { companyId, memberId: actor.memberId })
  return findActorsCompany(client, actor, companyId)
}

function checkRole<Found extends ActorsCompany>(company: Found | undefined, needed: Role): Found {
  if (company === undefined) throw notFound()
  if (roleCovers(company.role, needed)) return company
  throw new ApiError('permission_denied', `This needs the role ${needed} in the company.`)
}

/**
 * The company, if the actor has the role at this moment. Looked up on every call, so that the loss of a membership
 * takes effect on the next one [roles]. For reads; what changes something uses `lockRole`. The first read after a member was
 * added records that they have opened the company, which knows their name from then on.
 *
 * @throws 404 if there is no such company or the actor is not a member of it, which look the same; 403
 *   `permission_denied` if their role is too low
 */
export async function requireRole(
  on: Queryable,
  actor: Actor,
  companyId: string,
  needed: Role,
): Promise<ActorsCompany> {
  const company = checkRole(await findActorsCompany(on, actor, companyId), needed)
  if (actor !== 'operator' && !company.opened) {
    await markOpened.run(on, { companyId, memberId: actor.memberId })
  }
  return company
}

/**
 * As `requireRole`, for the transaction of a change: until it is over the actor's membership neither ends nor changes, so
 * that nothing is done for a member whose membership has ended by then. Any number of transactions may lock a membership
 * concurrently. One that changes it locks its company first (`lockCompany`) and no other membership, so that several can be
 * locked in any order without a deadlock; a caller that also needs the company locked locks it first.
 *
 * @throws as `requireRole`
 */
export async function lockRole(
  client: PoolClient,
  actor: Actor,
  companyId: string,
  needed: Role,
): Promise<ActorsCompany> {
  return checkRole(await lockActorsCompany(client, actor, companyId), needed)
}

/** Whether the actor has the role in each of the companies, which is then locked as by `lockRole`. */
export async function lockRoleInEach(
  client: PoolClient,
  actor: Actor,
  companyIds: readonly string[],
  needed: Role,
): Promise<boolean> {
  for (const companyId of companyIds) {
    const company = await lockActorsCompany(client, actor, companyId)
    if (company === undefined || !roleCovers(company.role, needed)) return false
  }
  return true
}
