import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { logoutMacsOf, type LogoutNames } from './logout-names.ts'
import { deleteSessionsOfSid, deleteSessionsOfSub, deleteUnnamedSessionsOfSub } from './queries.ts'

/**
 * Ends the sessions of a sign-in at the provider where it is named, else all of the person (OpenID Connect Back-Channel
 * Logout 1.0, 2.7). A session of the person's that came without a name of its sign-in may be the one that is named.
 *
 * @returns how many
 */
export async function endNamedSessions(
  context: Pick<Context, 'keys'>,
  on: Queryable,
  names: LogoutNames,
): Promise<number> {
  const { sid, sub } = logoutMacsOf(context.keys, names)
  if (sid === undefined) return (await deleteSessionsOfSub.run(on, { mac: sub! })).rowCount ?? 0
  const named = await deleteSessionsOfSid.run(on, { mac: sid })
  const unnamed = sub && (await deleteUnnamedSessionsOfSub.run(on, { mac: sub }))
  return (named.rowCount ?? 0) + (unnamed?.rowCount ?? 0)
}
