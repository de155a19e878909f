import type { Logger } from 'pino'
import type { Clock } from '../clock/clock.ts'
import type { Config } from '../config/config.ts'
import type { Lanes } from '../database/lanes.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { ElectronicIdentity } from '../identity/identity-provider.ts'
import type { DeploymentKeys } from '../keys/deployment-keys.ts'

/** Everything that a request handler or a worker may reach. Made once, when the process starts. */
export interface Context extends Lanes {
  config: Config
  /** What values are sealed under, and personal numbers hashed. */
  keys: DeploymentKeys
  clock: Clock
  log: Logger
  telemetry: Telemetry
  identity: ElectronicIdentity
}
