import { randomBytes } from 'node:crypto'
import { seal, unseal } from '../keys/seal.ts'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { logoutMacsOf, type LogoutNames } from './logout-names.ts'
import { deleteSession, insertSession, selectSealedPersonalNumber, selectSession } from './queries.ts'

/** How long a session lasts from the sign-in, in milliseconds. Using it does not make it longer. */
export const sessionLifetimeMs = 12 * 60 * 60_000

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
}

/** A signed-in person. */
export interface Session {
  /** SHA-256 of the token. */
  sessionHash: Buffer
  memberId: string
  name: string | null
  expiresAt: Date
}

/** The place that the personal number of a session is sealed for. */
export function sessionPlace(sessionHash: Buffer): string {
  return `session:${sessionHash.toString('hex')}`
}

/** Makes a session for a person who has just signed in, under a new token. */
export async function addSession(
  context: Pick<Context, 'clock' | 'keys'>,
  on: Queryable,
  { memberId, provider, personalNumber, logoutNames }: SignedInPerson,
): Promise<NewSession> {
  const now = context.clock.now()
  const token = randomBytes(32).toString('base64url')
  const sessionHash = hashSecret(token)
  const expiresAt = new Date(now + sessionLifetimeMs)
  const macs = logoutNames && logoutMacsOf(context.keys, logoutNames)
  await insertSession.run(on, {
    sessionHash,
    memberId,
    provider,
    personalNumberSealed: seal(context.keys.master, personalNumber, sessionPlace(sessionHash)),
    logoutSidMac: macs?.sid ?? null,
    logoutSubMac: macs?.sub ?? null,
    createdAt: new Date(now),
    expiresAt,
  })
  return { token, expiresAt }
}

/**
 * The session of a token; undefined where it has ended or never was, or people sign in with another electronic identity by
 * now: whoever was signed in by the demo's could be anybody.
 */
export async function findSession(
  context: Pick<Context, 'pool' | 'clock' | 'identity'>,
  token: string,
): Promise<Session | undefined> {
  const sessionHash = hashSecret(token)
  const row = await selectSession.first(context.pool, {
    sessionHash,
    provider: context.identity.signIn.name,
    at: new Date(context.clock.now()),
  })
  if (row === undefined) return undefined
  return { sessionHash, memberId: row.member_id, name: row.name, expiresAt: row.expires_at }
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
export async function endSession(context: Pick<Context, 'pool'>, token: string): Promise<void> {
  await deleteSession.run(context.pool, { sessionHash: hashSecret(token) })
}
