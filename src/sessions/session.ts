import { randomBytes } from 'node:crypto'
import { uuidv7 } from '../values/uuidv7.ts'
import { seal, unseal } from '../keys/seal.ts'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { logoutMacsOf, type LogoutNames } from './logout-names.ts'
import {
  deleteSession,
  insertSession,
  selectSealedPersonalNumber,
  selectSession,
  touchSession,
} from './queries.ts'
import type { SessionOrigin } from './session-origin.ts'

/** How long a session lasts from the sign-in, in milliseconds. Using it does not make it longer. */
export const sessionLifetimeMs = 12 * 60 * 60_000

/** How often a session in use writes that it is, in milliseconds: it may end this much earlier than its idle time. */
export const activityWrittenEveryMs = 60_000

export interface NewSession {
  /** 256 random bits for the cookie; only its SHA-256 is stored. */
  token: string
  expiresAt: Date
}

/** Who has just signed in. */
export interface SignedInPerson {
  memberId: string
  /** What they signed in with. */
  provider: string
  /** Twelve digits. */
  personalNumber: string
  /** Undefined where nobody but this service ends the session. */
  logoutNames: LogoutNames | undefined
  /** Whether they are known to have identified themselves just now. */
  isRecent: boolean
  origin: SessionOrigin
}

/** A signed-in person. */
export interface Session {
  /** SHA-256 of the token. */
  sessionHash: Buffer
  /** Names the session, and opens nothing. */
  sessionId: string
  memberId: string
  name: string | null
  /** When they identified themselves; null where that is not known. */
  authenticatedAt: Date | null
  lastActiveAt: Date
  expiresAt: Date
}

/** Sessions that were last active at this instant, or before it, have ended. */
export function idleSince({ clock, config }: Pick<Context, 'clock' | 'config'>): Date {
  return new Date(clock.now() - config.sessions.idleMs)
}

/** The place that the personal number of a session is sealed for. */
export function sessionPlace(sessionHash: Buffer): string {
  return `session:${sessionHash.toString('hex')}`
}

/** Makes a session for a person who has just signed in, under a new token. */
export async function addSession(
  context: Pick<Context, 'clock' | 'keys'>,
  on: Queryable,
  { memberId, provider, personalNumber, logoutNames, isRecent, origin }: SignedInPerson,
): Promise<NewSession> {
  const now = context.clock.now()
  const token = randomBytes(32).toString('base64url')
  const sessionHash = hashSecret(token)
  const expiresAt = new Date(now + sessionLifetimeMs)
  const macs = logoutNames && logoutMacsOf(context.keys, logoutNames)
  await insertSession.run(on, {
    sessionHash,
    sessionId: uuidv7(now),
    memberId,
    provider,
    personalNumberSealed: seal(context.keys.master, personalNumber, sessionPlace(sessionHash)),
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

/**
 * The session of a token; undefined where it has ended, was not used for the idle time, or never was, or people sign in with another electronic identity by
 * now: whoever was signed in by the demo's could be anybody.
 */
export async function findSession(
  context: Pick<Context, 'pool' | 'clock' | 'config' | 'identity'>,
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

/** Keeps a session from ending for want of use. */
export async function recordActivity(
  context: Pick<Context, 'pool' | 'clock'>,
  { sessionHash, lastActiveAt }: Session,
): Promise<void> {
  const now = context.clock.now()
  const before = new Date(now - activityWrittenEveryMs)
  if (lastActiveAt > before) return
  await touchSession.run(context.pool, { sessionHash, at: new Date(now), before })
}

/**
 * The twelve digits of whoever is signed in, for what they are about to sign. Undefined where the session is another
 * member's, or has ended, or was made before they were kept.
 */
export async function findPersonalNumber(
  context: Pick<Context, 'pool' | 'clock' | 'keys'>,
  sessionHash: Buffer,
  memberId: string,
): Promise<string | undefined> {
  const row = await selectSealedPersonalNumber.first(context.pool, {
    sessionHash,
    memberId,
    at: new Date(context.clock.now()),
  })
  if (row === undefined) return undefined
  return unseal(context.keys.master, row.personal_number_sealed, sessionPlace(sessionHash)).toString()
}

/** Signs out: the token opens nothing from now on. */
export async function endSession(context: { pool: Queryable }, token: string): Promise<void> {
  await deleteSession.run(context.pool, { sessionHash: hashSecret(token) })
}
