import { mkdir, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { configFolder } from './config-folder.ts'
import { CommandFailure, exitCodes } from './exit-code.ts'
import type { Io } from './io.ts'
import type { Profile } from './profiles.ts'
import { readSecret, replaceSecret } from './secret-store.ts'

/** The tokens of an app, which a login without `--connection` is. */
export interface AppTokens {
  accessToken: string
  refreshToken: string
  /** When the access token ends, in milliseconds since 1970. */
  endsAtMs: number
}

/**
 * Calls an endpoint of OAuth.
 *
 * @throws CommandFailure with what the service says (RFC 6749 section 5.2)
 */
export async function callOAuth(
  io: Io,
  url: string,
  body?: URLSearchParams | object,
): Promise<Record<string, unknown>> {
  const isForm = body instanceof URLSearchParams
  const init: RequestInit =
    body === undefined
      ? {}
      : isForm
        ? { method: 'POST', body }
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const timed = AbortSignal.any([io.signal, AbortSignal.timeout(30_000)])
  let answer: Response
  let json: Record<string, unknown>
  try {
    answer = await io.fetch(url, { ...init, redirect: 'manual', signal: timed })
    const text = await answer.text()
    json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  } catch {
    io.signal.throwIfAborted()
    throw new CommandFailure(`${new URL(url).origin} does not answer as Numera does.`, exitCodes.unreachable)
  }
  if (answer.ok) return json
  const { error, error_description: description } = json
  const isPassing = answer.status === 429 || answer.status >= 500
  const advice =
    error === 'invalid_redirect_uri'
      ? ' The service takes no apps on one’s own machine: it needs NUMERA_OAUTH_LOOPBACK_REDIRECTS=yes.'
      : error === 'invalid_grant'
        ? ' Run: numeractl login'
        : ''
  throw new CommandFailure(
    `${String(description ?? error ?? `The answer is ${answer.status}.`)}${advice}`,
    isPassing ? exitCodes.tryAgain : exitCodes.refused,
  )
}

/** Exchanges a code or a refresh token. */
export async function requestTokens(io: Io, url: string, form: Record<string, string>): Promise<AppTokens> {
  const askedAtMs = io.clock.now()
  const answer = await callOAuth(io, `${url}/oauth/token`, new URLSearchParams(form))
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string' || typeof seconds !== 'number') {
    throw new CommandFailure('The service gave no pair of tokens.', exitCodes.tryAgain)
  }
  return { accessToken, refreshToken, endsAtMs: askedAtMs + seconds * 1000 }
}

async function readTokens(io: Io, name: string, place: Profile['secretIn']): Promise<AppTokens> {
  return JSON.parse(await readSecret(io, name, place)) as AppTokens
}

/** Whole minutes until the access token ends. It is renewed in the last one. */
export async function tokenMinutesLeft(io: Io, name: string, { secretIn }: Profile): Promise<number> {
  const { endsAtMs } = await readTokens(io, name, secretIn)
  return Math.floor((endsAtMs - io.clock.now()) / 60_000)
}

/** The minute before the end. */
const renewBeforeMs = 60_000

/** A client's identity that renews the access token, and stores the new pair: a refresh token is good for one use. */
export function toAppIdentity(
  io: Io,
  name: string,
  { url, clientId, secretIn }: Profile,
  secret: string,
): { token: (options: { renew: boolean }) => Promise<string> } {
  let tokens = JSON.parse(secret) as AppTokens
  const token = async ({ renew }: { renew: boolean }): Promise<string> => {
    if (!renew && io.clock.now() < tokens.endsAtMs - renewBeforeMs) return tokens.accessToken
    const refused = tokens.accessToken
    await oneAtATime(io, async () => {
      tokens = await readTokens(io, name, secretIn)
      // Another process may have renewed it in the meantime.
      const isNew = tokens.accessToken !== refused && io.clock.now() < tokens.endsAtMs - renewBeforeMs
      if (isNew) return
      const form = { grant_type: 'refresh_token', client_id: clientId!, refresh_token: tokens.refreshToken }
      tokens = await requestTokens(io, url, form)
      await replaceSecret(io, name, secretIn, JSON.stringify(tokens))
    })
    return tokens.accessToken
  }
  return { token }
}

/** A renewal takes at most as long as its call; what is older was left behind by a process that ended. */
const lockMaxMs = 60_000

/** Two processes that use the same refresh token would lose the login. A folder is made by one of them alone. */
async function oneAtATime(io: Io, work: () => Promise<void>): Promise<void> {
  const lock = join(configFolder(io), 'renewing')
  for (;;) {
    try {
      await mkdir(lock, { mode: 0o700 })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const madeAtMs = await stat(lock).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      )
      if (madeAtMs !== undefined && Date.now() - madeAtMs > lockMaxMs) await rmdir(lock).catch(() => {})
      else await io.clock.sleep(100, io.signal)
    }
  }
  try {
    await work()
  } finally {
    await rmdir(lock).catch(() => {})
  }
}

/** Ends every token of the login. What the member allowed remains until they end it on the company’s pages. */
export async function revokeApp(io: Io, name: string, { url, clientId, secretIn }: Profile): Promise<void> {
  const { refreshToken } = await readTokens(io, name, secretIn)
  await callOAuth(
    io,
    `${url}/oauth/revoke`,
    new URLSearchParams({ client_id: clientId!, token: refreshToken }),
  )
}
