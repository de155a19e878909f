import type { Logger } from 'pino'
import type { Clock } from './platform/clock/clock.ts'
import type { Config } from './platform/config/config.ts'
import type { Pools } from './platform/database/pools.ts'
import type { Standby } from './platform/database/standbys/standby.ts'
import type { Telemetry } from './platform/telemetry/telemetry.ts'
import type { DeploymentKeys } from './platform/keys/deployment-keys.ts'

/**
 * What request handlers may use. Created once, when the process starts. Its pools see the shared schemas, and no shard
 * (`schemas.ts`): what is about a company's sources or deliveries runs in the context of the company's shard.
 */
export interface DirectoryContext extends Pools {
  config: Config
  /** For sealing values and hashing personal numbers. */
  keys: DeploymentKeys
  clock: Clock
  log: Logger
  telemetry: Telemetry
  shards: Shards
}

/** The same with the pools of one shard, which see the shared schemas too. */
export interface Context extends DirectoryContext {
  shard: number
  /** Those that may answer reads of the shard. */
  listStandbys: () => readonly Standby[]
}

/** The shards of a deployment. Their connections are made when needed. */
export interface Shards {
  /** The same object for the same shard. */
  get(shard: number): Context
  /** Those that there are now, in order. */
  list(): Promise<Context[]>
  /** The one that has a company; the first if there is no such company. */
  ofCompany(companyId: string): Promise<Context>
}

/** For what a room has once for each shard, such as a limiter of its connections. */
export function createForEachShard<Room>(create: (at: Context) => Room): (at: Context) => Room {
  const rooms = new WeakMap<Context, Room>()
  return (at) => {
    const room = rooms.get(at) ?? create(at)
    rooms.set(at, room)
    return room
  }
}
