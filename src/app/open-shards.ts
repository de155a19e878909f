import type { Context, DirectoryContext, Shards } from '../context.ts'
import { openPools, type PoolsOptions } from '../platform/database/pools.ts'
import { toShardSchema } from '../platform/database/schemas.ts'
import { Standby } from '../platform/database/standbys/standby.ts'
import { findShardOfCompany, listShards } from '../people/companies/find-shards.ts'

/**
 * Opens the pools of each shard when it is first used, and those of its standbys. Disposing of it ends them all.
 *
 * @param standbyUrls of the servers that replicate the one in `options`
 */
export function openShards(
  directory: Omit<DirectoryContext, 'shards'>,
  options: PoolsOptions,
  standbyUrls: readonly string[] = [],
): Shards & AsyncDisposable {
  const stack = new AsyncDisposableStack()
  const opened = new Map<number, Context>()
  const get = (shard: number): Context => {
    const known = opened.get(shard)
    if (known !== undefined) return known
    const schema = toShardSchema(shard)
    const pools = stack.use(openPools({ ...options, schema }))
    const standbys = standbyUrls.map((url) => {
      const { readPool: primary } = pools
      const { name } = options
      const { log } = directory
      return stack.use(
        new Standby({ url, shard, schema, primary, connectionsMax: primary.options.max, name, log }),
      )
    })
    // Has them checked: the log says at the start what is wrong with one.
    for (const standby of standbys) standby.getPool()
    const context: Context = { ...directory, ...pools, shard, shards, listStandbys: () => standbys }
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
