import type { Queryable } from '../database/pool.ts'
import { deleteFurtherCompany } from './queries.ts'

/**
 * A member manages a company no longer: it is gone from the connections that they let act on it as a further company
 * [conn.end], and stays gone should they come back, since only the making of a connection chooses.
 */
export async function releaseFurtherCompany(
  on: Queryable,
  memberId: string,
  companyId: string,
): Promise<void> {
  await deleteFurtherCompany.run(on, { memberId, companyId })
}
