import { createHmac } from 'node:crypto'
import type { DirectoryContext } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import {
  deleteSessionsOfSid,
  deleteSessionsOfSub,
  deleteUnnamedSessionsOfSub,
  lockLogouts,
  selectIsEnded,
  shareLogouts,
} from './queries.ts'

/** What an OpenID Connect provider calls a sign-in and a person, by which it ends their sessions here. */
export interface LogoutNames {
  issuer: string
  /** The sign-in, if it has a name. */
  sid: string | undefined
  /** The person, unless the provider names only the sign-in. */
  sub: string | undefined
}

export interface NamedSignIn extends LogoutNames {
  /** When the provider issued its ID token, by the provider's clock, in whole seconds. */
  issuedAt: Date
}

/** What is stored of the names: HMAC-SHA256 under the key of personal numbers, which some providers use as `sub`. */
export function toLogoutMacs(
  { keys }: Pick<DirectoryContext, 'keys'>,
  { issuer, sid, sub }: LogoutNames,
): Record<'sid' | 'sub', Buffer | null> {
  const toMac = (kind: 'sid' | 'sub', name: string | undefined): Buffer | null =>
    name === undefined
      ? null
      : createHmac('sha256', keys.personalNumbers)
          .update(JSON.stringify([kind, issuer, name]))
          .digest()
  return { sid: toMac('sid', sid), sub: toMac('sub', sub) }
}

/**
 * Ends the sessions of the named sign-in, or all of the person if no sign-in is named (OpenID Connect Back-Channel Logout 1.0,
 * 2.7). A session of the person whose sign-in has no name may be the one. Waits for sign-ins whose session is just being
 * added; later ones find the logout token that was stored before (`isEndedAlready`).
 *
 * @param on a transaction
 * @returns whose they were, one for each session
 */
export async function endNamedSessions(
  context: Pick<DirectoryContext, 'keys'>,
  on: Queryable,
  names: LogoutNames,
): Promise<string[]> {
  await lockLogouts.run(on, {})
  const { sid, sub } = toLogoutMacs(context, names)
  const ended =
    sid === null
      ? await deleteSessionsOfSub.rows(on, { mac: sub! })
      : await deleteSessionsOfSid.rows(on, { mac: sid })
  if (sid !== null && sub !== null) ended.push(...(await deleteUnnamedSessionsOfSub.rows(on, { mac: sub })))
  return ended.map((row) => row.member_id)
}

/**
 * Whether the provider has ended a sign-in before it has a session: a stored logout token would have ended that session
 * as `endNamedSessions` does. If the token names the person, sign-ins that the provider finished after it are not affected.
 * Until the transaction ends, no session is ended by name.
 *
 * @param on the transaction that adds the session
 */
export async function isEndedAlready(
  context: Pick<DirectoryContext, 'keys'>,
  on: Queryable,
  signIn: NamedSignIn,
): Promise<boolean> {
  // A statement of its own: the next one sees what was committed while this one waited.
  await shareLogouts.run(on, {})
  const { sid, sub } = toLogoutMacs(context, signIn)
  return (await selectIsEnded.first(on, { sidMac: sid, subMac: sub, issuedAt: signIn.issuedAt }))!.is_ended
}
