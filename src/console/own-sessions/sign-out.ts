import { recordPersonsEvent } from '../../company/audit/record-audit-event.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { DirectoryContext } from '../../context.ts'
import { endOwnSession, endSessionsOfMember } from '../../people/sessions/own-sessions.ts'
import { endSession } from '../../people/sessions/session.ts'

type SignOutContext = Pick<DirectoryContext, 'pool' | 'clock'>

/** Ends the session of a token, and records it in the audit of the person's companies. */
export async function signOut(context: SignOutContext, token: string): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    const memberId = await endSession({ pool: client }, token)
    if (memberId === undefined) return
    await recordPersonsEvent(client, { memberId, action: 'signed_out', atMs: context.clock.now() })
  })
}

/**
 * Ends one of a person's sessions from the present one, and records it likewise.
 *
 * @throws 404 if the person has no such session
 */
export async function signOutSession(
  context: SignOutContext,
  { memberId, sessionId }: { memberId: string; sessionId: string },
  endedId: string,
): Promise<void> {
  const isOwn = endedId === sessionId
  await inTransaction(context.pool, async (client) => {
    await endOwnSession(client, memberId, endedId)
    await recordPersonsEvent(client, {
      memberId,
      action: isOwn ? 'signed_out' : 'session_ended',
      details: isOwn ? {} : { by: 'member' },
      atMs: context.clock.now(),
    })
  })
}

/** Ends all sessions of a person, the current one included, and records it likewise. */
export async function signOutEverywhere(
  context: SignOutContext,
  { memberId }: { memberId: string },
): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    await endSessionsOfMember(client, memberId)
    await recordPersonsEvent(client, { memberId, action: 'signed_out_everywhere', atMs: context.clock.now() })
  })
}
