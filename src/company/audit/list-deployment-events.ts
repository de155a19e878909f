import type { DirectoryContext } from '../../context.ts'
import { pageRows, toPage, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import type { DeploymentEvent } from './deployment-event.ts'
import { selectDeploymentEvents } from './queries.ts'

/**
 * What was done to the deployment, for its operator: newest first.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listDeploymentEvents(
  context: Pick<DirectoryContext, 'pool'>,
  request: PageRequest = {},
): Promise<Page<DeploymentEvent>> {
  const { after, limit } = pageRows(request)
  const rows = await selectDeploymentEvents.rows(context.pool, { before: after, limit: limit + 1 })
  const events = rows.map((row) => ({
    eventId: row.event_id,
    at: row.occurred_at,
    action: row.action,
    details: row.details,
  }))
  return toPage(events, limit, (event) => event.eventId)
}
