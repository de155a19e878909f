import { clockSources, startDeploymentClock } from './clock/deployment-clock.ts'
import { loadMasterKey } from './config/load-master-key.ts'
import { readConfig } from './config/read-config.ts'
import type { Context } from './context.ts'
import { openLanes } from './database/lanes.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open-database.ts'
import { createFigures } from './http/figures.ts'
import { createClockObserver } from './http/note-clock.ts'
import { createIdentityProvider } from './identity/create-identity-provider.ts'
import { createLog } from './log.ts'

export interface OpenContextOptions {
  /** Shown in the database's list of connections. */
  name: string
  /** Run beside a service that has the built-in database open. */
  shared?: boolean
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
 * @throws ConfigError with every variable at fault
 */
export const openContext = async (options: OpenContextOptions): Promise<OpenContext> => {
  const { name, shared = false, patient = false, testClock = false, environment = process.env } = options
  const { config, secrets } = readConfig(environment, { testClock })
  const log = createLog({ level: config.logLevel })
  const stack = new AsyncDisposableStack()
  try {
    const masterKey = await loadMasterKey(config, secrets)
    const database = stack.use(
      await openDatabase(config, secrets, { shared, log: (message) => log.info(message) }),
    )
    const { applied } = await migrate({ url: database.url })
    if (applied.length > 0) log.info({ applied }, 'the database was migrated')
    const lanes = stack.use(
      openLanes({
        url: database.url,
        connectionsMax: config.database.connectionsMax,
        name,
        patient,
        onIdleError: (error) => {
          // Connections that are still on their way out when the database stops are no news.
          if (!lanes.pool.ending) log.warn({ err: error }, 'a database connection broke')
        },
      }),
    )
    const { acceptPool, readPool, pool } = lanes
    const figures = createFigures({ process: true })
    const { clock } = stack.use(
      await startDeploymentClock(clockSources(pool), createClockObserver(log, figures)),
    )
    const identity = createIdentityProvider({ pool, clock, masterKey, config })
    return {
      context: { config, masterKey, clock, acceptPool, readPool, pool, log, figures, identity },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
