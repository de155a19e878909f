import { randomBytes } from 'node:crypto'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import type { DirectoryContext } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { toLogoutMacs, type LogoutNames } from './provider-logout.ts'
import {
  deleteSession,
  insertSession,
  selectSealedPersonalNumber,
  selectSession,
  touchSession,
} from './queries.ts'
import { sealedSessions } from './sealed-sessions.ts'
import type { SessionOrigin } from './session-origin.ts'

/** How long a session lasts from the sign-in, in milliseconds, however much it is used. */
export const sessionLifetimeMs = 12 * 60 * 60_000

/** How often a session in use records that, in milliseconds: it may end this much before its idle time is over. */
const activityWrittenEveryMs = 60_000

export interface NewSession {
  /** 256 random bits for the cookie; only its SHA-256 is stored. */
  token: string
  expiresAt: Date
}

export interface SignedInPerson {
  memberId: string
  /** The electronic identity's name. */
  provider: string
  /** Twelve digits. */
  personalNumber: string
  /** Undefined if only this service can end the session. */
  logoutNames: LogoutNames | undefined
  /** Whether they have certainly just authenticated. */
  isRecent: boolean
  origin: SessionOrigin
}

/** A session of a signed-in person. */
export interface Session {
  /** SHA-256 of the token. */
  sessionHash: Buffer
  /** Identifies the session, and opens nothing. */
  sessionId: string
  memberId: string
  name: string | null
  /** When they authenticated; null if that is not known. */
  authenticatedAt: Date | null
  lastActiveAt: Date
  expiresAt: Date
}

/** Sessions that were last active at this instant, or earlier, have ended. */
export function idleSince({ clock, config }: Pick<DirectoryContext, 'clock' | 'config'>): Date {
  return new Date(clock.now() - config.sessions.idleMs)
}

export async function addSession(
  context: Pick<DirectoryContext, 'clock' | 'keys'>,
  on: Queryable,
  { memberId, provider, personalNumber, logoutNames, isRecent, origin }: SignedInPerson,
): Promise<NewSession> {
  const now = context.clock.now()
  const token = randomBytes(32).toString('base64url')
  const sessionHash = hashSecret(token)
  const expiresAt = new Date(now + sessionLifetimeMs)
  const macs = logoutNames && toLogoutMacs(context, logoutNames)
  await insertSession.run(on, {
    sessionHash,
    sessionId: uuidv7(now),
    memberId,
    provider,
    personalNumberSealed: sealedSessions.seal(context, { session_hash: sessionHash }, personalNumber),
    logoutSidMac: macs?.sid ?? null,
    logoutSubMac: macs?.sub ?? null,
    browser: origin.browser,
    system: origin.system,
    network: origin.network,
    authenticatedAt: isRecent ? new Date(now) : null,
    createdAt: new Date(now),
    expiresAt,
  })
  return { token, expiresAt }
}

/** The electronic identity that people sign in with. Sessions that began with another have ended. */
export interface SignedInBy {
  identity: { readonly demo: boolean; readonly signIn: { readonly name: string } }
}

/**
 * The session of a token; undefined if there is none, it has ended or was idle too long, or people sign in with another
 * electronic identity by now: anyone could have signed in by the demo's.
 */
export async function findSession(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'> & SignedInBy,
  token: string,
): Promise<Session | undefined> {
  const sessionHash = hashSecret(token)
  const row = await selectSession.first(context.pool, {
    sessionHash,
    provider: context.identity.signIn.name,
    at: new Date(context.clock.now()),
    activeAfter: idleSince(context),
  })
  if (row === undefined) return undefined
  return {
    sessionHash,
    sessionId: row.session_id,
    memberId: row.member_id,
    name: row.name,
    authenticatedAt: row.authenticated_at,
    lastActiveAt: row.last_active_at,
    expiresAt: row.expires_at,
  }
}

/** Keeps a session in use from ending as idle. */
export async function recordActivity(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  { sessionHash, lastActiveAt }: Session,
): Promise<void> {
  const now = context.clock.now()
  const before = new Date(now - activityWrittenEveryMs)
  if (lastActiveAt > before) return
  await touchSession.run(context.pool, { sessionHash, at: new Date(now), before })
}

/**
 * The twelve digits of the signed-in person, for what they are about to sign. Undefined if the session is another
 * member's or has ended.
 */
export async function findPersonalNumber(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'keys'>,
  sessionHash: Buffer,
  memberId: string,
): Promise<string | undefined> {
  const row = await selectSealedPersonalNumber.first(context.pool, {
    sessionHash,
    memberId,
    at: new Date(context.clock.now()),
  })
  return row && sealedSessions.unseal(context, { session_hash: sessionHash }, row.personal_number_sealed)
}

/** @returns whose it was; undefined if it had ended */
export async function endSession(context: { pool: Queryable }, token: string): Promise<string | undefined> {
  return (await deleteSession.first(context.pool, { sessionHash: hashSecret(token) }))?.member_id
}
