import type { Queryable } from '../../platform/database/pool.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { selectIsToBeDeleted } from './queries.ts'

/**
 * For what adds to a company or changes it: one that is to be deleted can only be read, and its owners can end accesses. Call
 * it after `lockRole`, so that it tells strangers nothing.
 *
 * @throws 409 `conflict` from the second signature of the deletion until it is withdrawn
 */
export async function requireKept(on: Queryable, companyId: string): Promise<void> {
  const found = await selectIsToBeDeleted.first(on, { companyId })
  if (found === undefined) return
  throw conflict('The company is to be deleted: an owner must withdraw the deletion before this.')
}
