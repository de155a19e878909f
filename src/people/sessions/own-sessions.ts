import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import type { DirectoryContext } from '../../context.ts'
import { deleteSessionOfMember, deleteSessionsOfMember, selectSessionsOfMember } from './queries.ts'
import { idleSince, type SignedInBy } from './session.ts'
import type { SessionOrigin } from './session-origin.ts'

/** Sessions of a person that are listed. */
const listedSessionsMax = 100

export interface OwnSession extends SessionOrigin {
  sessionId: string
  provider: string
  signedInAt: Date
  lastActiveAt: Date
}

/** A person's sessions, the last used first. */
export async function listOwnSessions(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'> & SignedInBy,
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

/** @throws 404 if the member has no such session */
export async function endOwnSession(on: Queryable, memberId: string, sessionId: string): Promise<void> {
  if ((await deleteSessionOfMember.first(on, { memberId, sessionId })) === undefined) throw notFound()
}

export async function endSessionsOfMember(on: Queryable, memberId: string): Promise<void> {
  await deleteSessionsOfMember.run(on, { memberId })
}
