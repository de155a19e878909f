import type { Context, DirectoryContext, Shards } from '../context.ts'
import { openPools, type PoolsOptions } from '../platform/database/pools.ts'
import { firstShard, toShardSchema } from '../platform/database/schemas.ts'
import { selectShardOfCompany, selectShards } from '../platform/shards/queries.ts'

/** Opens the pools of each shard when it is first used. Disposing of it ends them all. */
export function openShards(
  directory: Omit<DirectoryContext, 'shards'>,
  options: PoolsOptions,
): Shards & AsyncDisposable {
  const stack = new AsyncDisposableStack()
  const opened = new Map<number, Context>()
  const get = (shard: number): Context => {
    const known = opened.get(shard)
    if (known !== undefined) return known
    const pools = stack.use(openPools({ ...options, schema: toShardSchema(shard) }))
    const context: Context = { ...directory, ...pools, shard, shards }
    opened.set(shard, context)
    return context
  }
  const shards: Shards & AsyncDisposable = {
    get,
    list: async () => {
      const rows = await selectShards.rows(directory.pool, {})
      return rows.map(({ shard }) => get(shard))
    },
    ofCompany: async (companyId) => {
      const row = await selectShardOfCompany.first(directory.acceptPool, { companyId })
      return get(row?.shard ?? firstShard)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
  return shards
}
