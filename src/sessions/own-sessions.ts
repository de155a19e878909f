import type { Queryable } from '../database/pool.ts'
import { notFound } from '../http/errors.ts'
import type { Context } from '../service/context.ts'
import { deleteSessionOfMember, deleteSessionsOfMember, selectSessionsOfMember } from './queries.ts'
import { idleSince } from './session.ts'
import type { SessionOrigin } from './session-origin.ts'

/** Sessions of a person that are listed. */
export const listedSessionsMax = 100

export interface OwnSession extends SessionOrigin {
  sessionId: string
  /** Null in sessions from before it was kept. */
  provider: string | null
  signedInAt: Date
  lastActiveAt: Date
}

/** Where a person is signed in, the last used first. */
export async function listOwnSessions(
  context: Pick<Context, 'pool' | 'clock' | 'config' | 'identity'>,
  memberId: string,
): Promise<OwnSession[]> {
  const rows = await selectSessionsOfMember.rows(context.pool, {
    memberId,
    provider: context.identity.signIn.name,
    at: new Date(context.clock.now()),
    activeAfter: idleSince(context),
    limit: listedSessionsMax,
  })
  return rows.map((row) => ({
    sessionId: row.session_id,
    provider: row.provider,
    browser: row.browser,
    system: row.system,
    network: row.network,
    signedInAt: row.created_at,
    lastActiveAt: row.last_active_at,
  }))
}

/** Signs a person out of one of their sessions. @throws 404 where they have no such session */
export async function endOwnSession(
  context: Pick<Context, 'pool'>,
  memberId: string,
  sessionId: string,
): Promise<void> {
  if ((await deleteSessionOfMember.first(context.pool, { memberId, sessionId })) === undefined)
    throw notFound()
}

/** Signs a person out of all of their sessions. */
export async function endSessionsOfMember(on: Queryable, memberId: string): Promise<void> {
  await deleteSessionsOfMember.run(on, { memberId })
}
