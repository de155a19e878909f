import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config, SecretSettings } from '../../platform/config/config.ts'
import { loadMasterKeys } from '../../platform/keys/load-master-keys.ts'
import { toMasterKey, type MasterKeys } from '../../platform/keys/master-key.ts'
import { openObjectStore } from '../../platform/objects/open-object-store.ts'
import { BackupError } from './backup-error.ts'
import { createSealedStore, requireCurrentKey, type SealedStore } from './sealed-store.ts'

export interface OpenBackup extends AsyncDisposable {
  readonly sealed: SealedStore
  /** Whether the backup has a key of its own, so that it may include the master key. */
  readonly hasOwnKey: boolean
}

function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** `NUMERA_BACKUP_KEY`, else the master key. None is created: it would open nothing. */
async function loadBackupKeys(config: Config, secrets: SecretSettings): Promise<MasterKeys> {
  const { backupKey, previousBackupKey, masterKey, masterKeyCommand } = secrets
  const isMasterKeyGiven = masterKey !== undefined || masterKeyCommand !== undefined
  if (backupKey !== undefined)
    return {
      current: toMasterKey(backupKey.reveal()),
      previous: previousBackupKey && toMasterKey(previousBackupKey.reveal()),
    }
  if (!isMasterKeyGiven && !(await isPresent(join(config.dataFolder, 'master.key'))))
    throw new BackupError(
      'The key of the backup is needed: set NUMERA_BACKUP_KEY, or NUMERA_MASTER_KEY where it had no key of its own, or put ' +
        `the file master.key into ${config.dataFolder}.`,
    )
  return loadMasterKeys(config, secrets)
}

/**
 * Opens the place that `NUMERA_BACKUP` names.
 *
 * @throws BackupError if there is none, or the key is not that of its newest objects
 */
export async function openBackup(config: Config, secrets: SecretSettings): Promise<OpenBackup> {
  if (config.backup === undefined)
    throw new BackupError(
      'Nothing is backed up: set NUMERA_BACKUP to a folder or a bucket, such as file:///var/backups/numera.',
    )
  const keys = await loadBackupKeys(config, secrets)
  const store = openObjectStore(config.backup, secrets.backupCredentials)
  try {
    const sealed = createSealedStore(store, keys)
    await requireCurrentKey(sealed)
    return {
      sealed,
      hasOwnKey: secrets.backupKey !== undefined,
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}
