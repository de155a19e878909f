import type { Config, Secrets } from '../config/config.ts'
import { startEmbedded } from './embedded.ts'
import { findRunningEmbedded } from './find-running-embedded.ts'

export interface OpenDatabase extends AsyncDisposable {
  readonly url: string
}

export interface OpenDatabaseOptions {
  /** Use the built-in database of a service that runs on the same data folder, rather than fail: commands do. */
  shared?: boolean
  log?: (message: string) => void
}

const notOurs = (url: string): OpenDatabase => ({ url, [Symbol.asyncDispose]: async () => {} })

/**
 * The database that the configuration names: the one at `DATABASE_URL`, or the built-in one, which is started and
 * stopped with the process that opened it first.
 */
export const openDatabase = async (
  config: Pick<Config, 'dataFolder'>,
  secrets: Pick<Secrets, 'databaseUrl'>,
  options: OpenDatabaseOptions = {},
): Promise<OpenDatabase> => {
  if (secrets.databaseUrl !== undefined) return notOurs(secrets.databaseUrl.reveal())
  const { dataFolder } = config
  const running = options.shared === true ? await findRunningEmbedded(dataFolder) : undefined
  if (running !== undefined) return notOurs(running.url)
  const embedded = await startEmbedded({ dataFolder, ...(options.log ? { log: options.log } : {}) })
  return { url: embedded.url, [Symbol.asyncDispose]: () => embedded.stop() }
}
