import type { PoolClient } from 'pg'
import { deleteMembership } from './queries.ts'

/** Ends a membership of a company that is being deleted, even the last owner's. */
export async function endMembership(client: PoolClient, companyId: string, memberId: string): Promise<void> {
  await deleteMembership.run(client, { companyId, memberId })
}
