import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import type { DirectoryContext } from '../../context.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { toAppConnection, type AppConnection } from './app-connection.ts'
import { selectAppConnection } from './queries.ts'

/** What a member allows an app, with its current state. @throws 404 if the actor has no such connection */
export async function showAppConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  connectionId: string,
): Promise<AppConnection> {
  const row = await selectAppConnection.first(context.pool, { connectionId, memberId: actorMemberId(actor) })
  if (row === undefined) throw notFound()
  return toAppConnection(row, context.clock.now())
}
