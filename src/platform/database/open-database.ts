import type { Config, SecretSettings } from '../config/config.ts'
import { hasCluster, startEmbedded } from './embedded.ts'
import { folderHolder } from './embedded/lock-folder.ts'
import { findRunningEmbedded } from './find-running-embedded.ts'

export interface OpenDatabase extends AsyncDisposable {
  readonly url: string
}

export interface OpenDatabaseOptions {
  /** For commands: uses the built-in database of a service that runs on the same data folder, instead of failing. */
  shared?: boolean
  log?: (message: string) => void
}

/**
 * Checks that there is a database, or a service that is just creating one. Changes nothing.
 *
 * @throws Error that says what to do, if the data folder has none
 */
export async function requireDatabase(
  { dataFolder }: Pick<Config, 'dataFolder'>,
  { databaseUrl }: Pick<SecretSettings, 'databaseUrl'>,
): Promise<void> {
  if (databaseUrl !== undefined || (await hasCluster(dataFolder))) return
  if ((await folderHolder(dataFolder)) !== undefined) return
  throw new Error(
    `There is no database in ${dataFolder}: "numera serve" creates one. If it is elsewhere, set ` +
      'NUMERA_DATA_FOLDER or DATABASE_URL. Nothing was changed.',
  )
}

function notOwned(url: string): OpenDatabase {
  return { url, [Symbol.asyncDispose]: async () => {} }
}

/**
 * The database that the configuration names: the one at `DATABASE_URL`, or the built-in one, which is started and
 * stopped with the process that opened it first.
 */
export async function openDatabase(
  config: Pick<Config, 'dataFolder' | 'backup'>,
  secrets: Pick<SecretSettings, 'databaseUrl'>,
  options: OpenDatabaseOptions = {},
): Promise<OpenDatabase> {
  if (secrets.databaseUrl !== undefined) return notOwned(secrets.databaseUrl.reveal())
  const { dataFolder } = config
  const running = options.shared === true ? await findRunningEmbedded(dataFolder) : undefined
  if (running !== undefined) return notOwned(running.url)
  const archives = config.backup !== undefined
  const embedded = await startEmbedded({ dataFolder, archives, ...(options.log ? { log: options.log } : {}) })
  return { url: embedded.url, [Symbol.asyncDispose]: () => embedded.stop() }
}
