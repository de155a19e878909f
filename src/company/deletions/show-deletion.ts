import type { DirectoryContext } from '../../context.ts'
import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { findLastAct } from '../audit/find-last-act.ts'
import { requestLifetimeMs, toDeletion, type Deletion } from './deletion.ts'
import { countOwners, selectDeletion, type DeletionRow } from './queries.ts'

/** The company's deletion, unless its request is void. */
export function findDeletion(
  on: Queryable,
  companyId: string,
  nowMs: number,
): Promise<DeletionRow | undefined> {
  return selectDeletion.first(on, { companyId, since: new Date(nowMs - requestLifetimeMs) })
}

/** When the company was last exported as a whole, if that is recent enough for a request. */
export function findExport(on: Queryable, companyId: string, nowMs: number): Promise<Date | undefined> {
  return findLastAct(on, companyId, 'company_exported', nowMs - requestLifetimeMs)
}

export interface DeletionState {
  deletion: Deletion | null
  /** The last export that a request may follow. */
  exportedAt: Date | null
  /** With one owner, the operator confirms instead of a second signature. */
  owners: number
}

/**
 * How far the deletion of a company is, for its owners.
 *
 * @throws 403, 404 as `requireRole`
 */
export async function showDeletion(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
): Promise<DeletionState> {
  const { timeZone } = await requireRole(pool, actor, companyId, 'owner')
  const now = clock.now()
  const row = await findDeletion(pool, companyId, now)
  return {
    deletion: row === undefined ? null : toDeletion(row, timeZone),
    exportedAt: (await findExport(pool, companyId, now)) ?? null,
    owners: (await countOwners.first(pool, { companyId }))!.owners,
  }
}
