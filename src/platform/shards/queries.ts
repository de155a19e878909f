import { defineStatement } from '../database/define-statement.ts'

type None = Record<string, never>

/** A deployment has at most so many; each has connections of its own. */
const shardsMax = 1_000

/** The shards of the deployment, in order. */
export const selectShards = defineStatement<{ shard: number; companies: number }, None>(
  'shards.select-all',
  `select shard, companies from shards order by shard limit ${shardsMax}`,
)

/** No row if there is no such company. */
export const selectShardOfCompany = defineStatement<{ shard: number }, { companyId: string }>(
  'shards.select-of-company',
  `select shard from companies where company_id = $companyId::uuid`,
)
