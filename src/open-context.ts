import { createShiftedClock, systemClock } from './clock.ts'
import { readConfig } from './config/read-config.ts'
import type { Context } from './context.ts'
import { createPool } from './database/pool.ts'
import { createFigures } from './http/figures.ts'
import { chooseIdentityProvider } from './identity/choose-identity-provider.ts'
import { openDeploymentKeys } from './keys/deployment-keys.ts'
import { createLog } from './log.ts'
import { openMigratedDatabase } from './open-migrated-database.ts'

export interface OpenContextOptions {
  /** Shown in the database's list of connections. */
  name: string
  /** Run beside a service that has the built-in database open. */
  shared?: boolean
  /** Tests may move the clock over HTTP. */
  testClock?: boolean
  environment?: NodeJS.ProcessEnv
}

export interface OpenContext extends AsyncDisposable {
  context: Context
}

/**
 * Environment → config → database, with every migration applied → context. Dispose of it last: that ends the pool,
 * and then the database where this process started it.
 *
 * @throws ConfigError with every variable at fault, or with why the database's master key is not the one at hand; what is
 *   wrong with the configuration alone is told before a database is made or opened
 */
export const openContext = async (options: OpenContextOptions): Promise<OpenContext> => {
  const { name, shared = false, testClock = false, environment = process.env } = options
  const { config, secrets } = readConfig(environment, { testClock })
  // What cannot run is told before anything is made.
  const createIdentityProvider = chooseIdentityProvider(config)
  const log = createLog({ level: config.logLevel })
  const stack = new AsyncDisposableStack()
  try {
    const database = stack.use(
      await openMigratedDatabase(config, secrets, { shared, log: (message) => log.info(message) }),
    )
    const { applied, masterKeys } = database
    if (applied.length > 0) log.info({ applied }, 'the database was migrated')
    const pool = createPool({
      url: database.url,
      connectionsMax: config.database.connectionsMax,
      name,
      onIdleError: (error) => {
        // Connections that are still on their way out when the database stops are no news.
        if (!pool.ending) log.warn({ err: error }, 'a database connection broke')
      },
    })
    stack.defer(() => pool.end())
    const clock = testClock ? createShiftedClock() : systemClock
    const keys = await openDeploymentKeys({ pool, clock }, masterKeys)
    const identity = createIdentityProvider({ pool, clock, keys })
    const figures = createFigures({ process: true })
    return {
      context: { config, keys, clock, pool, log, figures, identity },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
