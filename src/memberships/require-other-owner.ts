import type { Queryable } from '../database/pool.ts'
import { conflict } from '../http/errors.ts'
import { selectIsLastOwner } from './queries.ts'

/**
 * A company is never without an owner. Call with the company locked (`lockCompany`).
 *
 * @throws 409 `conflict` where this member is the only owner
 */
export async function requireOtherOwner(on: Queryable, companyId: string, memberId: string): Promise<void> {
  const found = await selectIsLastOwner.first(on, { companyId, memberId })
  if (found?.last) throw conflict('The company must keep an owner: make somebody else one first.')
}
