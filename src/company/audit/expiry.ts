import { deletesFrom, expiredRowsMax } from '../../platform/database/expired-rows.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import { deleteAuditEventsBelow, deleteDeploymentEventsBelow } from './queries.ts'

/** How long audit events are kept, in milliseconds. */
export const auditKeptMs = 400 * 24 * 60 * 60_000

/** Their ids contain the time. */
export const deleteOldAuditEvents = deletesFrom('audit_events', async ({ pool }, atMs) => {
  const id = lowestUuidv7(atMs - auditKeptMs)
  return (await deleteAuditEventsBelow.run(pool, { id, rowsMax: expiredRowsMax })).rowCount ?? 0
})

export const deleteOldDeploymentEvents = deletesFrom('deployment_events', async ({ pool }, atMs) => {
  const id = lowestUuidv7(atMs - auditKeptMs)
  return (await deleteDeploymentEventsBelow.run(pool, { id, rowsMax: expiredRowsMax })).rowCount ?? 0
})
