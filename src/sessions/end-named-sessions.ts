import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { logoutMacsOf, type LogoutNames } from './logout-names.ts'
import { deleteSessionsOfSid, deleteSessionsOfSub } from './queries.ts'

/**
 * Ends the sessions of a sign-in at the provider where it is named, else all of the person (OpenID Connect Back-Channel
 * Logout 1.0, 2.7).
 *
 * @returns how many
 */
export async function endNamedSessions(
  context: Pick<Context, 'keys'>,
  on: Queryable,
  names: LogoutNames,
): Promise<number> {
  const { sid, sub } = logoutMacsOf(context.keys, names)
  const deleted =
    sid !== undefined
      ? await deleteSessionsOfSid.run(on, { mac: sid })
      : await deleteSessionsOfSub.run(on, { mac: sub! })
  return deleted.rowCount ?? 0
}
