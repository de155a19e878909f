import type { PoolClient } from 'pg'
import { lockCompanyId } from './queries.ts'

/**
 * Until the transaction is over, no other one changes memberships of the company, creates something of which it may have
 * a limited number, or sets its limits. Call it before `lockRole`: a change of a membership locks the company first, and
 * in the other order the two could deadlock.
 */
export async function lockCompany(client: PoolClient, companyId: string): Promise<void> {
  await lockCompanyId.run(client, { companyId })
}
