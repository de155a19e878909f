import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { configFolder, writePrivate } from './config-folder.ts'
import { UsageError } from './exit-code.ts'
import type { Io } from './io.ts'

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
    // Without it Linux might use the kernel's keyring, which forgets: a file lasts.
    const options = { linux: { store: 'secret-service' } } as const
    const entry = (account: string): InstanceType<typeof AsyncEntry> =>
      new AsyncEntry('numeractl', account, options)
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

async function writeSecretsFile(io: Io, account: string, secret: string | undefined): Promise<void> {
  // Members that are undefined are not written.
  const secrets = { ...(await readSecretsFile(io)), [account]: secret }
  await writePrivate(secretsFile(io), JSON.stringify(secrets))
}

/** @throws UsageError where it does not answer */
async function useKeyring<T>(io: Io, work: (keyring: Keyring) => Promise<T>): Promise<T> {
  const keyring = await io.openKeyring()
  try {
    if (keyring) return await work(keyring)
  } catch {
    // Locked, or there is no service of the system behind it. Its messages may have anything.
  }
  throw new UsageError('The keyring does not answer. Unlock it, or log in again.')
}

/** Stores a secret in the keyring or, where there is none, in a file that its owner alone may read. Says which. */
export async function storeSecret(io: Io, account: string, secret: string): Promise<SecretPlace> {
  const isKept = await useKeyring(io, async (keyring) => {
    await keyring.set(account, secret)
    return (await keyring.get(account)) === secret
  }).catch(() => false)
  if (isKept) return 'keyring'
  await writeSecretsFile(io, account, secret)
  return 'file'
}

/** Writes a secret where it was stored before. */
export async function replaceSecret(
  io: Io,
  account: string,
  place: SecretPlace,
  secret: string,
): Promise<void> {
  if (place === 'file') await writeSecretsFile(io, account, secret)
  else await useKeyring(io, (keyring) => keyring.set(account, secret))
}

/** @throws UsageError where the secret is not where it was stored */
export async function readSecret(io: Io, account: string, place: SecretPlace): Promise<string> {
  const secret =
    place === 'file'
      ? (await readSecretsFile(io))[account]
      : await useKeyring(io, (keyring) => keyring.get(account))
  if (secret) return secret
  throw new UsageError(`The ${place} has no credential for the profile ${account}. Log in again.`)
}

export async function deleteSecret(io: Io, account: string, place: SecretPlace): Promise<void> {
  if (place === 'file') await writeSecretsFile(io, account, undefined)
  else await useKeyring(io, (keyring) => keyring.delete(account))
}

export const describePlace = (io: Io, place: SecretPlace): string =>
  place === 'keyring' ? 'the system’s keyring' : `${secretsFile(io)}, which you alone may read`
