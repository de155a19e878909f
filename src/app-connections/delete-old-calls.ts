import type { Pool } from 'pg'
import { expiredRowsMax } from '../database/expired-rows.ts'
import { lowestUuidv7 } from '../values/uuidv7.ts'
import { deleteCallsBelow } from './queries.ts'

/** How long records of calls are kept, in milliseconds: more than a year. Then the expiry sweep deletes them. */
export const keptMs = 400 * 24 * 60 * 60_000

/** Deletes the records of calls that were older than 400 days. Their ids tell how old they are. */
export async function deleteOldCalls(context: { pool: Pool }, atMs: number): Promise<number> {
  const below = lowestUuidv7(atMs - keptMs)
  return (await deleteCallsBelow.run(context.pool, { id: below, limit: expiredRowsMax })).rowCount ?? 0
}
