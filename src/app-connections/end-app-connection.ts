import { actorMemberId, type Actor } from '../companies/actor.ts'
import type { Context } from '../service/context.ts'
import type { AppConnection } from './app-connection.ts'
import { markEnded } from './queries.ts'
import { showAppConnection } from './show-app-connection.ts'

/**
 * Ends what a member allows an app: every token stops on its next call, since each call looks the connection up
 * (specification, "States and transitions"). Ending one that has ended changes nothing.
 *
 * @throws 404 where there is no such connection, or it is another member's
 */
export async function endAppConnection(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  connectionId: string,
): Promise<AppConnection> {
  const by = actor === 'operator' ? 'operator' : 'member'
  await markEnded.run(context.pool, {
    connectionId,
    memberId: actorMemberId(actor),
    endedAt: new Date(context.clock.now()),
    endedBy: by,
  })
  return showAppConnection(context, actor, connectionId)
}
