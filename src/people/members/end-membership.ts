import type { PoolClient } from 'pg'
import { deleteMembership } from './queries.ts'

/** Ends a membership of a company that is being deleted, whoever is left. */
export async function endMembership(client: PoolClient, companyId: string, memberId: string): Promise<void> {
  await deleteMembership.run(client, { companyId, memberId })
}
