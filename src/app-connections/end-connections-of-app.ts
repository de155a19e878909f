import type { Context } from '../service/context.ts'
import { markAppEnded } from './queries.ts'

/** Ends every connection of an app that is active, for the operator. Returns their number. */
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
