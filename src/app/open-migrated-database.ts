import type { Config, SecretSettings } from '../platform/config/config.ts'
import { migrate, requireMigrated } from '../platform/database/migrations/migrate.ts'
import {
  openDatabase,
  requireDatabase,
  type OpenDatabase,
  type OpenDatabaseOptions,
} from '../platform/database/open-database.ts'
import { unreachableError } from '../platform/database/unreachable-error.ts'
import { createPool, endPool } from '../platform/database/pool.ts'
import { checkMasterKeys } from '../platform/keys/check-master-keys.ts'
import { loadMasterKeys, type LoadedMasterKeys } from '../platform/keys/load-master-keys.ts'

export interface OpenMigratedDatabaseOptions extends OpenDatabaseOptions {
  /** Neither create nor migrate a database: throw where there is none that this version works on. */
  existing?: boolean
}

export interface OpenMigratedDatabase extends OpenDatabase {
  readonly masterKeys: LoadedMasterKeys
  /** Names of the migrations that were missing. */
  readonly applied: string[]
}

/**
 * The database that the configuration names, with every migration applied. One that is sealed under another master key
 * is left as it is.
 *
 * @throws ConfigError as `loadMasterKeys` and `checkMasterKeys`; Error as `requireDatabase` and `requireMigrated`,
 *   where an existing one is requested, and as `unreachableError` where that of `DATABASE_URL` cannot be reached
 */
export async function openMigratedDatabase(
  config: Config,
  secrets: SecretSettings,
  options: OpenMigratedDatabaseOptions,
): Promise<OpenMigratedDatabase> {
  const { existing = false } = options
  // First, since loading a missing key would create one, and the data folder.
  if (existing) await requireDatabase(config, secrets)
  const masterKeys = await loadMasterKeys(config, secrets)
  const database = await openDatabase(config, secrets, options)
  try {
    const { url } = database
    const pool = createPool({ url, connectionsMax: 1, name: 'numera master key' })
    await checkMasterKeys(pool, masterKeys).finally(() => endPool(pool))
    if (existing) await requireMigrated({ url })
    const applied = existing ? [] : (await migrate({ url })).applied
    return { url, masterKeys, applied, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
  } catch (error) {
    await database[Symbol.asyncDispose]()
    const { databaseUrl } = secrets
    throw databaseUrl === undefined ? error : unreachableError(error, databaseUrl.reveal())
  }
}
