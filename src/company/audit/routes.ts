import type { DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { auditEventAnswer } from './audit-event-answer.ts'
import { downloadAuditContract, listAuditEventsContract } from './contract.ts'
import { createAuditDownload } from './download-audit.ts'
import { listAuditEvents } from './list-audit-events.ts'

/** The audit log of a company, for the pages. */
export async function registerAuditRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)

  const download = createAuditDownload(context)
  // Without HEAD: a request for the headers is no download.
  const options = { ...route(downloadAuditContract), exposeHeadRoute: false }
  app.get(
    '/console/companies/:company_id/audit.ndjson',
    options,
    async ({ session, params, query }, reply) => {
      const file = await download(session, params.company_id, query)
      return reply
        .header('content-type', 'application/x-ndjson')
        .header('content-disposition', 'attachment; filename="audit.ndjson"')
        .send(file)
    },
  )

  app.get(
    '/console/companies/:company_id/audit',
    route(listAuditEventsContract),
    async ({ session, params, query }) => {
      const page = await listAuditEvents(context, session, params.company_id, toPageRequest(query), query)
      return {
        events: page.items.map(auditEventAnswer),
        next_cursor: page.nextCursor,
      }
    },
  )
}
