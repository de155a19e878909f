import type { Logger } from 'pino'
import type { Clock } from './platform/clock/clock.ts'
import type { Config } from './platform/config/config.ts'
import type { Pools } from './platform/database/pools.ts'
import type { Telemetry } from './platform/telemetry/telemetry.ts'
import type { DeploymentKeys } from './platform/keys/deployment-keys.ts'

/** Everything that a request handler or a worker may reach. Made once, when the process starts. */
export interface Context extends Pools {
  config: Config
  /** What values are sealed under, and personal numbers hashed. */
  keys: DeploymentKeys
  clock: Clock
  log: Logger
  telemetry: Telemetry
}
