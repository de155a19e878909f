import type { Context, DirectoryContext, Shards } from '../context.ts'
import { openPools, type PoolsOptions } from '../platform/database/pools.ts'
import { toShardSchema } from '../platform/database/schemas.ts'
import { findShardOfCompany, listShards } from '../people/companies/find-shards.ts'

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
    list: async () => (await listShards(directory.pool)).map(({ shard }) => get(shard)),
    ofCompany: async (companyId) => get(await findShardOfCompany(directory.acceptPool, companyId)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
  return shards
}
