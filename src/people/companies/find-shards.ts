import type { Queryable } from '../../platform/database/pool.ts'
import { firstShard } from '../../platform/database/schemas.ts'
import { selectShardOfCompany, selectShards, setStoredBytes } from './queries.ts'

/** The shards of the deployment, in order, with the number of their companies. Any connection knows them. */
export function listShards(on: Queryable): Promise<{ shard: number; companies: number }[]> {
  return selectShards.rows(on, {})
}

/** Records what the companies of a shard have stored, by which new companies are placed. */
export async function recordStoredBytes(on: Queryable, shard: number, storedBytes: number): Promise<void> {
  await setStoredBytes.run(on, { shard, storedBytes })
}

/** The shard that has a company; the first if there is no such company. */
export async function findShardOfCompany(on: Queryable, companyId: string): Promise<number> {
  return (await selectShardOfCompany.first(on, { companyId }))?.shard ?? firstShard
}
