import type { Pool } from 'pg'
import { expiredRowsMax } from '../../platform/database/expired-rows.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import { deleteAuditEventsBelow } from './queries.ts'

/** How long it is kept what was done in a company, in milliseconds. Then the expiry sweep deletes it. */
export const auditKeptMs = 400 * 24 * 60 * 60_000

/** Deletes some of what was done more than 400 days before an instant. Ids tell how old it is. Returns the number. */
export async function deleteOldAuditEvents(context: { pool: Pool }, atMs: number): Promise<number> {
  const { rowCount } = await deleteAuditEventsBelow.run(context.pool, {
    id: lowestUuidv7(atMs - auditKeptMs),
    rowsMax: expiredRowsMax,
  })
  return rowCount ?? 0
}
