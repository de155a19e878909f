import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { secretFile } from '../secret-file.ts'
import type { Config, Secrets } from './config.ts'
import { Secret } from './secret.ts'

const keyBytes = 32

/**
 * The key under which webhook secrets and the like are sealed: the configured one, else one made on first use and
 * kept in the data folder, for its owner's eyes. A backup of the database is of no use without it.
 */
export const loadMasterKey = async (config: Config, secrets: Secrets): Promise<Secret<Uint8Array>> => {
  if (secrets.masterKey) return secrets.masterKey
  await mkdir(config.dataFolder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const path = join(config.dataFolder, 'master.key')
  const key = Buffer.from(
    await secretFile(path, () => randomBytes(keyBytes).toString('base64url')),
    'base64url',
  )
  if (key.length !== keyBytes) throw new Error(`${path} does not hold a key of ${keyBytes} bytes`)
  return new Secret(key)
}
