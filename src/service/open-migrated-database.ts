import type { Config, Secrets } from '../config/config.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase, type OpenDatabase, type OpenDatabaseOptions } from '../database/open-database.ts'
import { createPool, endPool } from '../database/pool.ts'
import { checkMasterKeys } from '../keys/check-master-keys.ts'
import { loadMasterKeys, type LoadedMasterKeys } from '../keys/load-master-keys.ts'

export interface OpenMigratedDatabase extends OpenDatabase {
  readonly masterKeys: LoadedMasterKeys
  /** Names of the migrations that were missing. */
  readonly applied: string[]
}

/**
 * The database that the configuration names, with every migration applied. One that is sealed under another master key is
 * left as it is.
 *
 * @throws ConfigError as `loadMasterKeys` and `checkMasterKeys`
 */
export const openMigratedDatabase = async (
  config: Config,
  secrets: Secrets,
  options: OpenDatabaseOptions,
): Promise<OpenMigratedDatabase> => {
  const masterKeys = await loadMasterKeys(config, secrets)
  const database = await openDatabase(config, secrets, options)
  try {
    const { url } = database
    const pool = createPool({ url, connectionsMax: 1, name: 'numera master key' })
    await checkMasterKeys(pool, masterKeys).finally(() => endPool(pool))
    const { applied } = await migrate({ url })
    return { url, masterKeys, applied, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}
