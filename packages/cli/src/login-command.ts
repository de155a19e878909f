import type { Command } from 'commander'
import { text } from 'node:stream/consumers'
import { UsageError } from './exit-code.ts'
import type { Io } from './io.ts'
import { findProfile, type Profile, readProfiles, requireProfileName, writeProfiles } from './profiles.ts'
import { deleteSecret, describePlace, storeSecret } from './secret-store.ts'
import { type CommonOptions, onRun, readPatienceMs, type Session, toBaseUrl, toIdentity } from './session.ts'

interface LoginOptions extends CommonOptions {
  connection?: true
  url?: string
}

export function defineLogin(command: Command, session: Session): void {
  command
    .option('--url <address>', 'the address of the service')
    .option(
      '--connection',
      'as a service connection: its credential, or its id and secret, from a prompt or standard input',
    )
    .addHelpText(
      'after',
      `
Without --connection a browser opens, where you allow numeractl to read your companies.

Standard input has the credential (nsk_…) on one line, or the client id and the client secret on two:
  numeractl login --connection --url https://numera.example < credential.txt`,
    )
  onRun<LoginOptions>(command, session, async (options) => {
    const name = requireProfileName(
      options.profile ??
        session.io.environment['NUMERACTL_PROFILE'] ??
        (await readProfiles(session.io)).current,
    )
    const url = await findUrl(session.io, name, options.url)
    if (!options.connection) {
      const { loginAsApp } = await import('./app-login.ts')
      return loginAsApp(session, name, url)
    }
    const { secret, ...identity } = await readCredential(session.io)
    const numera = await session.open({
      baseUrl: url,
      ...toIdentity(identity, secret),
      giveUpAfterMs: readPatienceMs,
    })
    // Either permission lists the sources, so this fails for a wrong credential alone.
    const sources = await Array.fromAsync(numera.sources({ signal: session.io.signal }))
    const place = await keepLogin(session.io, name, { url, ...identity }, secret)
    session.print(
      { profile: name, url, kind: identity.kind, secret_in: place, sources: sources.length },
      `Logged in to ${url} as profile ${name}. The secret is in ${describePlace(session.io, place)}.`,
    )
  })
}

async function findUrl(io: Io, name: string, given: string | undefined): Promise<string> {
  const { profiles } = await readProfiles(io)
  const url = given ?? (Object.hasOwn(profiles, name) ? profiles[name]!.url : undefined)
  if (url === undefined) throw new UsageError('Give the address of the service: --url https://…')
  return toBaseUrl(url)
}

/** Stores a login and makes its profile the current one. */
export async function keepLogin(
  io: Io,
  name: string,
  profile: Omit<Profile, 'secretIn'>,
  secret: string,
): Promise<Profile['secretIn']> {
  const secretIn = await storeSecret(io, name, secret)
  const { profiles } = await readProfiles(io)
  await writeProfiles(io, { current: name, profiles: { ...profiles, [name]: { ...profile, secretIn } } })
  return secretIn
}

async function readCredential(io: Io): Promise<Pick<Profile, 'kind' | 'clientId'> & { secret: string }> {
  const words = io.prompt ? [await io.prompt('Credential (nsk_…) or client id')] : await readWords(io)
  if (io.prompt && !words[0]!.startsWith('nsk_')) words.push(await io.prompt('Client secret'))
  const [first = '', second] = words
  const isText = words.every((word) => /^[\x21-\x7e]+$/.test(word))
  if (isText && words.length === 1 && first.startsWith('nsk_'))
    return { kind: 'static credential', secret: first }
  if (isText && words.length === 2 && /^[0-9a-f-]{36}$/i.test(first)) {
    return { kind: 'client id and secret', clientId: first, secret: second! }
  }
  throw new UsageError('Give a credential that begins with nsk_, or a client id and then its client secret.')
}

async function readWords(io: Io): Promise<string[]> {
  const words = (await text(io.stdin)).split(/\s+/).filter((word) => word !== '')
  if (words.length > 0) return words
  throw new UsageError(
    'Standard input has no credential. Run it in a terminal, or pipe the credential into it.',
  )
}

export function defineLogout(command: Command, session: Session): void {
  command.addHelpText('after', '\nThe credential stays valid: revoke it on the company’s pages.')
  onRun(command, session, async (options) => {
    const { name, profile } = await findProfile(session.io, options.profile)
    if (profile.kind === 'app') await (await import('./app-tokens.ts')).revokeApp(session.io, name, profile)
    await deleteSecret(session.io, name, profile.secretIn)
    const { current, profiles } = await readProfiles(session.io)
    const { [name]: _, ...others } = profiles
    const next = current === name ? (Object.keys(others)[0] ?? 'default') : current
    await writeProfiles(session.io, { current: next, profiles: others })
    session.print({ profile: name }, `Logged out: the secret of ${name} is no longer on this machine.`)
  })
}

export function defineProfiles(command: Command, session: Session): void {
  onRun(command, session, async () => {
    const { current, profiles } = await readProfiles(session.io)
    const rows = Object.entries(profiles).map(([name, { url, kind, secretIn }]) => {
      return { profile: name, current: name === current, url, kind, secretIn }
    })
    const columns = ['profile', 'current', 'url', 'kind', 'secretIn']
    await session.printTable(columns, rows, 'There are no logins.')
  })
}
