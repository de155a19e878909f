import type { DirectoryContext } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import type { AuditDetails } from './audit-event.ts'
import type { DeploymentAction } from './deployment-event.ts'
import { insertDeploymentEvent } from './queries.ts'

/**
 * Records what was done to the deployment as a whole, with an entry for each time: call it for what an operator does, or what
 * happens at most a few times a day.
 *
 * @param on the transaction that does it, if there is one
 * @param details never a secret or a personal number, and nothing of a single company
 */
export async function recordDeploymentEvent(
  { clock }: Pick<DirectoryContext, 'clock'>,
  on: Queryable,
  action: DeploymentAction,
  details: AuditDetails = {},
): Promise<void> {
  const atMs = clock.now()
  await insertDeploymentEvent.run(on, {
    eventId: uuidv7(atMs),
    at: new Date(atMs),
    action,
    details: JSON.stringify(details),
  })
}
