import { randomBytes } from 'node:crypto'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { deleteSession, insertSession, selectSession } from './queries.ts'

/** How long a session lasts from the sign-in, in milliseconds. Using it does not make it longer. */
export const sessionLifetimeMs = 12 * 60 * 60_000

export interface NewSession {
  /** 256 random bits for the cookie; only its SHA-256 is stored. */
  token: string
  expiresAt: Date
}

/** A signed-in person. */
export interface Session {
  memberId: string
  name: string | null
  expiresAt: Date
}

/** Makes a session for a person who has just signed in, under a new token. */
export async function addSession(
  context: Pick<Context, 'clock'>,
  on: Queryable,
  memberId: string,
): Promise<NewSession> {
  const now = context.clock.now()
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now + sessionLifetimeMs)
  await insertSession.run(on, {
    sessionHash: hashSecret(token),
    memberId,
    createdAt: new Date(now),
    expiresAt,
  })
  return { token, expiresAt }
}

/** The session of a token; undefined where it has ended or never was. */
export async function findSession(
  context: Pick<Context, 'pool' | 'clock'>,
  token: string,
): Promise<Session | undefined> {
  const row = await selectSession.first(context.pool, {
    sessionHash: hashSecret(token),
    at: new Date(context.clock.now()),
  })
  if (row === undefined) return undefined
  return { memberId: row.member_id, name: row.name, expiresAt: row.expires_at }
}

/** Signs out: the token opens nothing from now on. */
export async function endSession(context: Pick<Context, 'pool'>, token: string): Promise<void> {
  await deleteSession.run(context.pool, { sessionHash: hashSecret(token) })
}
