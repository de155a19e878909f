import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config, Secrets } from '../config/config.ts'
import { FolderInUseError } from './embedded/lock-folder.ts'
import { startEmbedded } from './embedded.ts'

export interface OpenDatabase extends AsyncDisposable {
  readonly url: string
}

export interface OpenDatabaseOptions {
  /** Use the built-in database of a service that runs on the same data folder, rather than fail: commands do. */
  shared?: boolean
  log?: (message: string) => void
}

/** Where a running service says how its built-in database is reached; it holds the database's password. */
const addressFile = 'database.url'

/**
 * The database that the configuration names: the one at `DATABASE_URL`, or the built-in one, which is started and
 * stopped with the process that opened it first.
 */
export const openDatabase = async (
  config: Pick<Config, 'dataFolder'>,
  secrets: Pick<Secrets, 'databaseUrl'>,
  options: OpenDatabaseOptions = {},
): Promise<OpenDatabase> => {
  if (secrets.databaseUrl !== undefined) {
    return { url: secrets.databaseUrl.reveal(), [Symbol.asyncDispose]: async () => {} }
  }
  const path = join(config.dataFolder, addressFile)
  try {
    const { dataFolder } = config
    const embedded = await startEmbedded({ dataFolder, ...(options.log ? { log: options.log } : {}) })
    await rm(path, { force: true })
    await writeFile(path, embedded.url, { mode: 0o600 })
    return {
      url: embedded.url,
      [Symbol.asyncDispose]: async () => {
        await rm(path, { force: true })
        await embedded.stop()
      },
    }
  } catch (error) {
    if (!(error instanceof FolderInUseError) || options.shared !== true) throw error
    const url = await readFile(path, 'utf8').catch(() => undefined)
    // The other one is starting or stopping.
    if (url === undefined) throw error
    return { url, [Symbol.asyncDispose]: async () => {} }
  }
}
