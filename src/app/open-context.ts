import type { AppContext } from './app-context.ts'
import { clockSources, startDeploymentClock } from '../platform/clock/deployment-clock.ts'
import { readConfig } from '../platform/config/read-config.ts'
import { findUnknownVariables } from '../platform/config/unknown-variables.ts'
import { watchPlacements } from '../platform/database/placements.ts'
import { openPools } from '../platform/database/pools.ts'
import { createTelemetry } from '../platform/telemetry/telemetry.ts'
import { createClockObserver } from '../platform/telemetry/observe-clock.ts'
import { chooseElectronicIdentity } from '../people/identity/choose-electronic-identity.ts'
import { openDeploymentKeys } from '../platform/keys/deployment-keys.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { openBackup, type OpenBackup } from './backup/open-backup.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'
import { openShards } from './open-shards.ts'

export interface OpenContextOptions {
  /** Shown in the database's list of connections. */
  name: string
  /** A service on this machine may have the built-in database open. */
  shared?: boolean
  /** Neither create nor migrate a database: throw where there is none of this version. */
  existing?: boolean
  /** An operator's command: its statements may take longer than a page's. */
  patient?: boolean
  /** Tests may move the clock over HTTP. */
  testClock?: boolean
  environment?: NodeJS.ProcessEnv
}

export interface OpenContext extends AsyncDisposable {
  context: AppContext
  /** See `openBackup`. */
  openBackup: () => Promise<OpenBackup>
}

/**
 * Environment → config → database, with every migration applied → the deployment's time → context. Dispose of it last:
 * that ends the connections, and then the database where this process started it.
 *
 * @throws ConfigError with every variable at fault, or with why the database's master key is not the given one; faults
 *   of the configuration alone are reported before a database is created or opened. Error where an existing database is
 *   requested and there is none of this version
 */
export async function openContext(options: OpenContextOptions): Promise<OpenContext> {
  const {
    name,
    shared = false,
    existing = false,
    patient = false,
    testClock = false,
    environment = process.env,
  } = options
  const { config, secrets } = readConfig(environment, { testClock })
  // Reports what cannot work before anything is created.
  const openElectronicIdentity = chooseElectronicIdentity(config, secrets)
  const log = createLog({ level: config.logLevel })
  for (const sentence of findUnknownVariables(environment)) log.warn(sentence)
  const stack = new AsyncDisposableStack()
  try {
    const database = stack.use(
      await openMigratedDatabase(config, secrets, { shared, existing, log: (message) => log.info(message) }),
    )
    const { applied, masterKeys } = database
    if (applied.length > 0) log.info({ applied }, 'the database was migrated')
    stack.use(await watchPlacements(database.url))
    const pools = stack.use(
      openPools({
        url: database.url,
        connectionsMax: config.database.connectionsMax,
        name,
        patient,
        onIdleError: (error) => {
          // Connections that are still closing when the database stops are not worth a line.
          if (!pool.ending) log.warn({ err: error }, 'a database connection broke')
        },
      }),
    )
    const { acceptPool, readPool, pool } = pools.at('access')
    const telemetry = createTelemetry({ process: true })
    const { clock } = stack.use(
      await startDeploymentClock(clockSources(pool), createClockObserver(log, telemetry)),
    )
    const keys = await openDeploymentKeys({ pool, clock }, masterKeys)
    const identity = stack.use(openElectronicIdentity({ pool, clock, keys, config, log, telemetry }))
    const directory = { config, keys, clock, acceptPool, readPool, pool, log, telemetry }
    // A command reads from the primary: it may take as long as it needs.
    const standbyUrls = patient ? [] : secrets.standbyUrls?.reveal()
    const shards = stack.use(openShards(directory, pools, { name, urls: standbyUrls ?? [] }))
    return {
      context: { ...directory, identity, shards },
      openBackup: () => openBackup(config, secrets),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
