import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configFolder, writePrivate } from './config-folder.ts'
import { UsageError } from './exit-code.ts'
import type { Io } from './io.ts'
import type { SecretPlace } from './secret-store.ts'

/** Everything about a login but its secret. */
export interface Profile {
  url: string
  kind: 'static credential' | 'client id and secret' | 'app'
  clientId?: string
  /** Of an app: where its redirect address listens. */
  port?: number
  secretIn: SecretPlace
}

export interface Profiles {
  current: string
  profiles: Record<string, Profile>
}

const profilesFile = (io: Io): string => join(configFolder(io), 'profiles.json')

export async function readProfiles(io: Io): Promise<Profiles> {
  const path = profilesFile(io)
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Profiles
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} }
    if (error instanceof SyntaxError) throw new UsageError(`${path} is broken. Delete it and log in again.`)
    throw error
  }
}

export const writeProfiles = (io: Io, profiles: Profiles): Promise<void> =>
  writePrivate(profilesFile(io), `${JSON.stringify(profiles, null, 2)}\n`)

/** @throws UsageError for a name that is not 1 to 64 letters, digits, `.`, `-` and `_` */
export function requireProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) && name !== '__proto__') return name
  throw new UsageError('The name of a profile has 1 to 64 letters, digits, points, dashes and underscores.')
}

/** The profile that is named, else that of `NUMERACTL_PROFILE`, else the one that was logged in to last. */
export async function findProfile(
  io: Io,
  named: string | undefined,
): Promise<{ name: string; profile: Profile }> {
  const { current, profiles } = await readProfiles(io)
  const name = named ?? io.environment['NUMERACTL_PROFILE'] ?? current
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return { name, profile }
  const known = Object.keys(profiles).join(', ')
  throw new UsageError(
    known === ''
      ? 'You are not logged in. Run: numeractl login --connection --url https://…'
      : `There is no profile ${name}. There are: ${known}.`,
  )
}
