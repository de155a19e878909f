import type { Context } from '../context.ts'
import { lowestUuidv7 } from '../ids.ts'
import { deleteCallsBelow } from './queries.ts'

/** A year and a month: who looks back a year finds what there was. */
export const keptMs = 400 * 24 * 60 * 60_000
const rowsMax = 10_000

/** Forgets the records of calls that are older than 400 days, a part in each statement. Their ids tell how old they are. */
export const forgetOldCalls = async (context: Pick<Context, 'pool' | 'clock'>): Promise<void> => {
  const below = lowestUuidv7(context.clock.now() - keptMs)
  for (let deleted = rowsMax; deleted === rowsMax;) {
    const { rowCount } = await deleteCallsBelow.run(context.pool, [below, rowsMax])
    deleted = rowCount ?? 0
  }
}
