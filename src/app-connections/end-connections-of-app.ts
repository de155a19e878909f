import type { Context } from '../service/context.ts'
import { markAppEnded } from './queries.ts'

/** Ends everything that an app may still do, for whichever member: for the operator. Says how much that was. */
export async function endConnectionsOfApp(
  context: Pick<Context, 'pool' | 'clock'>,
  clientId: string,
): Promise<number> {
  const { rowCount } = await markAppEnded.run(context.pool, {
    clientId,
    endedAt: new Date(context.clock.now()),
  })
  return rowCount ?? 0
}
