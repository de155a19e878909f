import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import type { AppConnection } from './app-connection.ts'
import { markAppEnded, markEnded } from './queries.ts'
import { showAppConnection } from './show-app-connection.ts'

/**
 * Ends what a member allows an app: every token stops on its next call, since each call looks up the connection (specification,
 * "States and transitions"). Ending one that has ended changes nothing.
 *
 * @throws 404 if the actor has no such connection
 */
export async function endAppConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  connectionId: string,
): Promise<AppConnection> {
  await inDirectoryTransaction(context.pool, (client) =>
    markEnded.run(client, {
      connectionId,
      memberId: actorMemberId(actor),
      endedAt: new Date(context.clock.now()),
      endedBy: actor === 'operator' ? 'operator' : 'member',
    }),
  )
  return showAppConnection(context, actor, connectionId)
}

/** Ends every active connection of an app, for the operator. Returns their number. */
export async function endConnectionsOfApp(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  clientId: string,
): Promise<number> {
  const { rowCount } = await inDirectoryTransaction(pool, (client) =>
    markAppEnded.run(client, { clientId, endedAt: new Date(clock.now()) }),
  )
  return rowCount ?? 0
}
