import { actorMemberId, type Actor } from '../companies/actor.ts'
import type { Context } from '../service/context.ts'
import { notFound } from '../http/errors.ts'
import type { AppConnection } from './app-connection.ts'
import { selectAppConnection } from './queries.ts'
import { toAppConnection } from './to-app-connection.ts'

/**
 * What a member allows an app, with its state at this moment.
 *
 * @throws 404 where there is no such connection, or it is another member's
 */
export async function showAppConnection(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  connectionId: string,
): Promise<AppConnection> {
  const row = await selectAppConnection.first(context.pool, { connectionId, memberId: actorMemberId(actor) })
  if (row === undefined) throw notFound()
  return toAppConnection(row, context.clock.now())
}
