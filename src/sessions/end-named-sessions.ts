import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { logoutMacsOf, type NamedSignIn, type LogoutNames } from './logout-names.ts'
import {
  deleteSessionsOfSid,
  deleteSessionsOfSub,
  deleteUnnamedSessionsOfSub,
  lockLogouts,
  selectIsEnded,
  shareLogouts,
} from './queries.ts'

/**
 * Ends the sessions of a sign-in at the provider where it is named, else all of the person (OpenID Connect Back-Channel
 * Logout 1.0, 2.7). A session of the person's that came without a name of its sign-in may be the one that is named. Waits
 * for sign-ins that are just getting their sessions; those after it find the logout token that was kept before
 * (`isEndedAlready`).
 *
 * @param on a transaction
 * @returns how many
 */
export async function endNamedSessions(
  context: Pick<Context, 'keys'>,
  on: Queryable,
  names: LogoutNames,
): Promise<number> {
  await lockLogouts.run(on, {})
  const { sid, sub } = logoutMacsOf(context.keys, names)
  if (sid === undefined) return (await deleteSessionsOfSub.run(on, { mac: sub! })).rowCount ?? 0
  const named = await deleteSessionsOfSid.run(on, { mac: sid })
  const unnamed = sub && (await deleteUnnamedSessionsOfSub.run(on, { mac: sub }))
  return (named.rowCount ?? 0) + (unnamed?.rowCount ?? 0)
}

/**
 * Whether the provider has ended a sign-in before it has a session: a logout token was kept that would have ended that session
 * as `endNamedSessions` does. Where it names the person, a sign-in that the provider finished after it goes on. Until
 * the transaction ends, no session is ended by name.
 *
 * @param on the transaction that makes the session
 */
export async function isEndedAlready(
  context: Pick<Context, 'keys'>,
  on: Queryable,
  signIn: NamedSignIn,
): Promise<boolean> {
  // A statement of its own: the next one sees what was committed while this one waited.
  await shareLogouts.run(on, {})
  const { sid, sub } = logoutMacsOf(context.keys, signIn)
  const row = await selectIsEnded.first(on, {
    sidMac: sid ?? null,
    subMac: sub ?? null,
    issuedAt: signIn.issuedAt,
  })
  return row!.is_ended
}
