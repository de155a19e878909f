import type { PoolClient } from 'pg'
import { lockCompanyRow } from './queries.ts'

/**
 * Until the transaction is over, nobody else changes memberships of the company, makes something of which it may have a limited
 * number, or sets its limits. To be called before `holdRole`: who changes a membership locks the company first, and in the
 * other order the two could wait for each other.
 */
export async function lockCompany(client: PoolClient, companyId: string): Promise<void> {
  await lockCompanyRow.run(client, { companyId })
}
