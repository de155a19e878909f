import type { Context, DirectoryContext, Shards } from '../context.ts'
import type { OpenPools } from '../platform/database/pools.ts'
import { toShardSchema } from '../platform/database/schemas.ts'
import { Standby } from '../platform/database/standbys/standby.ts'
import { findShardOfCompany, listShards } from '../people/companies/find-shards.ts'

interface StandbyServers {
  /** See `PoolsOptions`. */
  name: string
  /** Of the servers that replicate the one of the pools. */
  urls: readonly string[]
}

/** The contexts of the shards, all over the same connections, with those of their standbys. Disposing of it ends the latter. */
export function openShards(
  directory: Omit<DirectoryContext, 'shards'>,
  openPools: Pick<OpenPools, 'at'>,
  { name, urls }: StandbyServers = { name: '', urls: [] },
): Shards & AsyncDisposable {
  const stack = new AsyncDisposableStack()
  const opened = new Map<number, Context>()
  const get = (shard: number): Context => {
    const known = opened.get(shard)
    if (known !== undefined) return known
    const schema = toShardSchema(shard)
    const pools = openPools.at(schema)
    const standbys = urls.map((url) => {
      const { readPool: primary } = pools
      const { log } = directory
      const connectionsMax = primary.options.max
      return stack.use(new Standby({ url, shard, schema, primary, connectionsMax, name, log }))
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
