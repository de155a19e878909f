import type { Logger } from 'pino'
import type { Clock } from './platform/clock/clock.ts'
import type { Config } from './platform/config/config.ts'
import type { Pools } from './platform/database/pools.ts'
import type { Telemetry } from './platform/telemetry/telemetry.ts'
import type { DeploymentKeys } from './platform/keys/deployment-keys.ts'

/** What request handlers and workers may use. Created once, when the process starts. */
export interface Context extends Pools {
  config: Config
  /** For sealing values and hashing personal numbers. */
  keys: DeploymentKeys
  clock: Clock
  log: Logger
  telemetry: Telemetry
}
