import type { Queryable } from '../../platform/database/pool.ts'
import { deleteFurtherCompany } from './queries.ts'

/**
 * Removes a company from the connections that a member let act on it as a further company, once they no longer manage it
 * [conn.end]. It stays removed if they come back, since companies are chosen only when a connection is created.
 */
export async function releaseFurtherCompany(
  on: Queryable,
  memberId: string,
  companyId: string,
): Promise<void> {
  await deleteFurtherCompany.run(on, { memberId, companyId })
}
