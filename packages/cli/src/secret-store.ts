import { readFile } from 'node:fs/promises'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from './exit-code.ts'
import type { Io } from './io.ts'
import { configFolder, writePrivate } from './config-folder.ts'

/** The system's keyring. Every method throws where it is locked or cannot be reached. */
export interface Keyring {
  get(account: string): Promise<string | null | undefined>
  set(account: string, secret: string): Promise<void>
  delete(account: string): Promise<unknown>
}

export type SecretPlace = 'keyring' | 'file'

const secretsFile = (io: Io): string => join(configFolder(io), 'credentials.json')

/** Loads the keyring, which is native code that not every machine has. */
export async function openSystemKeyring(): Promise<Keyring | undefined> {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    const entry = (account: string): InstanceType<typeof AsyncEntry> => new AsyncEntry('numeractl', account)
    return {
      get: (account) => entry(account).getPassword(),
      set: (account, secret) => entry(account).setPassword(secret),
      delete: (account) => entry(account).deletePassword(),
    }
  } catch {
    return undefined
  }
}

async function readSecretsFile(io: Io): Promise<Record<string, string>> {
  const path = secretsFile(io)
  let text: string
  try {
    if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0) {
      throw new UsageError(`Others may read ${path}. Run: chmod 600 ${path}`)
    }
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text) as Record<string, string>
  } catch {
    throw new UsageError(`${path} is broken. Delete it and log in again.`)
  }
}

/** Stores a secret in the keyring or, where there is none, in a file that its owner alone may read. Says which. */
export async function storeSecret(io: Io, account: string, secret: string): Promise<SecretPlace> {
  const keyring = await io.openKeyring()
  try {
    if (keyring) {
      await keyring.set(account, secret)
      if ((await keyring.get(account)) === secret) return 'keyring'
    }
  } catch {
    // Locked, or not there.
  }
  const secrets = { ...(await readSecretsFile(io)), [account]: secret }
  await writePrivate(secretsFile(io), JSON.stringify(secrets))
  return 'file'
}

/** @throws UsageError where the secret is not where it was stored */
export async function readSecret(io: Io, account: string, place: SecretPlace): Promise<string> {
  let secret: string | null | undefined
  try {
    secret =
      place === 'file' ? (await readSecretsFile(io))[account] : await (await io.openKeyring())?.get(account)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError('The keyring does not answer. Unlock it, or log in again.')
  }
  if (secret) return secret
  throw new UsageError(
    `The ${place} has no credential for the profile ${account}. Run: numeractl login --connection`,
  )
}

export async function deleteSecret(io: Io, account: string, place: SecretPlace): Promise<void> {
  if (place === 'keyring') {
    await (await io.openKeyring())?.delete(account)
    return
  }
  const { [account]: _, ...others } = await readSecretsFile(io)
  await writePrivate(secretsFile(io), JSON.stringify(others))
}

export const describePlace = (io: Io, place: SecretPlace): string =>
  place === 'keyring' ? 'the system’s keyring' : `${secretsFile(io)}, which you alone may read`
