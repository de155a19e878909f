import type { PoolClient } from 'pg'
import { updateCompaniesOfShard } from './moves/queries.ts'
import { deleteCompanyRow } from './queries.ts'

/**
 * Deletes a company of which nothing is left; its number is free then.
 *
 * @throws an error of the database while something refers to it
 */
export async function deleteCompany(client: PoolClient, companyId: string): Promise<void> {
  const deleted = await deleteCompanyRow.first(client, { companyId })
  if (deleted !== undefined) await updateCompaniesOfShard.run(client, { shard: deleted.shard, added: -1 })
}
