import { clockSources, startDeploymentClock } from '../clock/deployment-clock.ts'
import { readConfig } from '../config/read-config.ts'
import { findUnknownVariables } from '../config/unknown-variables.ts'
import type { Context } from './context.ts'
import { openLanes } from '../database/lanes.ts'
import { createTelemetry } from '../telemetry/telemetry.ts'
import { createClockObserver } from '../telemetry/observe-clock.ts'
import { chooseElectronicIdentity } from '../identity/choose-electronic-identity.ts'
import { openDeploymentKeys } from '../keys/deployment-keys.ts'
import { createLog } from '../telemetry/log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'

export interface OpenContextOptions {
  /** Shown in the database's list of connections. */
  name: string
  /** Run beside a service that has the built-in database open. */
  shared?: boolean
  /** Neither make a database nor migrate one: throw where there is none of this version. */
  existing?: boolean
  /** An operator's command: its statements may take longer than a page's. */
  patient?: boolean
  /** Tests may move the clock over HTTP. */
  testClock?: boolean
  environment?: NodeJS.ProcessEnv
}

export interface OpenContext extends AsyncDisposable {
  context: Context
}

/**
 * Environment → config → database, with every migration applied → the deployment's time → context. Dispose of it last:
 * that ends the connections, and then the database where this process started it.
 *
 * @throws ConfigError with every variable at fault, or with why the database's master key is not the given one; faults
 *   of the configuration alone are told before a database is made or opened. Error where an existing database is
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
  // What cannot run is told before anything is made.
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
    const lanes = stack.use(
      openLanes({
        url: database.url,
        connectionsMax: config.database.connectionsMax,
        name,
        patient,
        onIdleError: (error) => {
          // Connections that are still closing when the database stops are not worth a line.
          if (!lanes.pool.ending) log.warn({ err: error }, 'a database connection broke')
        },
      }),
    )
    const { acceptPool, readPool, pool } = lanes
    const telemetry = createTelemetry({ process: true })
    const { clock } = stack.use(
      await startDeploymentClock(clockSources(pool), createClockObserver(log, telemetry)),
    )
    const keys = await openDeploymentKeys({ pool, clock }, masterKeys)
    const identity = stack.use(openElectronicIdentity({ pool, clock, keys, config, log, telemetry }))
    return {
      context: { config, keys, clock, acceptPool, readPool, pool, log, telemetry, identity },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
