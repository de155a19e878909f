import type { Queryable } from '../../platform/database/pool.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { selectIsLastOwner } from './queries.ts'

/**
 * A company always has an owner. To be called with the company locked (`lockCompany`).
 *
 * @throws 409 `conflict` if this member is the only owner
 */
export async function requireOtherOwner(on: Queryable, companyId: string, memberId: string): Promise<void> {
  const found = await selectIsLastOwner.first(on, { companyId, memberId })
  if (found?.last) throw conflict('The company needs an owner: make another member an owner first.')
}
