import { randomBytes } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../config/config-error.ts'
import type { Config, SecretSettings } from '../config/config.ts'
import { existingSecretFile, secretFile } from '../config/secret-file.ts'
import { masterKeyBytes, toMasterKey, type MasterKeys } from './master-key.ts'
import { runMasterKeyCommand } from './run-master-key-command.ts'

/** The master keys that a process was given. */
export interface LoadedMasterKeys extends MasterKeys {
  /** Where the current one is from, for messages to the operator: the variable, or the file's path. */
  readonly from: string
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

/** In the data folder; created on first use, before the database. */
async function fromFile(config: Pick<Config, 'dataFolder'>): Promise<LoadedMasterKeys> {
  const { dataFolder } = config
  const path = join(dataFolder, 'master.key')
  // Checked first: the key of a database is created before the database.
  const hasDatabase = await exists(join(dataFolder, 'postgres', 'PG_VERSION'))
  await mkdir(dataFolder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const text = hasDatabase
    ? await existingSecretFile(
        path,
        'the master key under which the database in the same folder is sealed: restore the file from a backup, ' +
          'or set NUMERA_MASTER_KEY to its content. If it is lost, start over with another NUMERA_DATA_FOLDER.',
      )
    : await secretFile(path, () => randomBytes(masterKeyBytes).toString('base64url'))
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== masterKeyBytes) {
    throw new ConfigError([`${path} does not hold a key of ${masterKeyBytes} bytes`])
  }
  return { current: toMasterKey(bytes), from: path }
}

/**
 * The keys that values are sealed under: the configured ones, else one made on first use and kept in the data folder,
 * readable only by its owner. A backup of the database is of no use without it. Call it once in a process: a command that
 * prints the key is run each time.
 *
 * @throws ConfigError as `runMasterKeyCommand`, where it prints the previous key, and where the file of an existing database
 *   is gone, or holds no key
 */
export async function loadMasterKeys(
  config: Pick<Config, 'dataFolder'>,
  secrets: Pick<SecretSettings, 'masterKey' | 'masterKeyCommand' | 'previousMasterKey'>,
): Promise<LoadedMasterKeys> {
  const { masterKey, masterKeyCommand, previousMasterKey } = secrets
  const previous = previousMasterKey && toMasterKey(previousMasterKey.reveal())
  if (masterKeyCommand !== undefined) {
    const from = 'NUMERA_MASTER_KEY_COMMAND'
    const current = toMasterKey(await runMasterKeyCommand(masterKeyCommand.reveal()))
    if (previous?.fingerprint.equals(current.fingerprint)) {
      throw new ConfigError([
        `NUMERA_MASTER_KEY_PREVIOUS must be another key than the one that ${from} prints`,
      ])
    }
    return { current, previous, from }
  }
  if (masterKey === undefined) return fromFile(config)
  return { current: toMasterKey(masterKey.reveal()), previous, from: 'NUMERA_MASTER_KEY' }
}
