import type { DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import {
  endAppConnectionContract,
  endAppOfCompanyContract,
  listAppCallsContract,
  listAppConnectionsContract,
  listAppsOfCompanyContract,
} from './contract.ts'
import { endAppConnection } from './end-app-connection.ts'
import { endAppOfCompany } from './end-app-of-company.ts'
import { listAppCalls } from './list-app-calls.ts'
import { listAppConnections } from './list-app-connections.ts'
import { listAppsOfCompany } from './list-apps-of-company.ts'

/** What members allow apps: for the pages. */
export async function registerAppConnectionRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)

  app.get('/console/apps', route(listAppConnectionsContract), async ({ session, query }) => {
    const { items, nextCursor } = await listAppConnections(context, session.memberId, toPageRequest(query))
    return { apps: items, next_cursor: nextCursor }
  })

  const single = '/console/apps/:connection_id'
  app.post(`${single}/end`, route(endAppConnectionContract), ({ session, params }) =>
    endAppConnection(context, session, params.connection_id),
  )

  app.get(`${single}/calls`, route(listAppCallsContract), async ({ session, params, query }) => {
    const page = toPageRequest(query)
    const { items, nextCursor } = await listAppCalls(context, session.memberId, params.connection_id, page)
    return { calls: items, next_cursor: nextCursor }
  })

  app.get(
    '/console/companies/:company_id/apps',
    route(listAppsOfCompanyContract),
    async ({ session, params, query }) => {
      const page = toPageRequest(query)
      const { items, nextCursor } = await listAppsOfCompany(context, session, params.company_id, page)
      return { apps: items, next_cursor: nextCursor }
    },
  )

  app.post(
    '/console/companies/:company_id/apps/:connection_id/end',
    route(endAppOfCompanyContract),
    async ({ session, params }, reply) => {
      await endAppOfCompany(context, session, params.company_id, params.connection_id)
      return reply.code(204).send()
    },
  )
}
