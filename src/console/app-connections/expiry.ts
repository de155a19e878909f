import { deletesFrom, expiredRowsMax } from '../../platform/database/expired-rows.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import { deleteCallsBelow } from './queries.ts'

/** After how long the expiry sweep deletes records of calls, in milliseconds: more than a year. */
export const keptMs = 400 * 24 * 60 * 60_000

/** Deletes the records of calls older than 400 days at an instant, which their ids contain. */
export const deleteOldCalls = deletesFrom('app_calls', async ({ pool }, atMs) => {
  const id = lowestUuidv7(atMs - keptMs)
  return (await deleteCallsBelow.run(pool, { id, limit: expiredRowsMax })).rowCount ?? 0
})
