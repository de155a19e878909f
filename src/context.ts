import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { Figures } from './http/figures.ts'
import type { IdentityProvider } from './identity/identity-provider.ts'

/** Everything that a request handler or a worker may reach. Made once, when the process starts. */
export interface Context {
  config: Config
  clock: Clock
  pool: Pool
  log: Logger
  figures: Figures
  identity: IdentityProvider
}
