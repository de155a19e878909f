import type { Queryable } from '../../platform/database/pool.ts'
import { deleteFurtherCompany } from './queries.ts'

/**
 * A member no longer manages a company: it is gone from the connections that they let act on it as a further company
 * [conn.end], and stays gone if they come back, since companies are chosen only when a connection is created.
 */
export async function releaseFurtherCompany(
  on: Queryable,
  memberId: string,
  companyId: string,
): Promise<void> {
  await deleteFurtherCompany.run(on, { memberId, companyId })
}
