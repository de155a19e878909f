import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { pageRequestOf } from '../http/pagination-query.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { appConnectionAnswer, companyNameAnswer } from './app-connection-answer.ts'
import {
  endAppConnectionContract,
  listAppCallsContract,
  listAppConnectionsContract,
  listAppsOfCompanyContract,
} from './contract.ts'
import { endAppConnection } from './end-app-connection.ts'
import { listAppCalls } from './list-app-calls.ts'
import { listAppConnections } from './list-app-connections.ts'
import { listAppsOfCompany } from './list-apps-of-company.ts'

/** What members allow apps: for the pages. */
export async function registerAppConnectionRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)

  app.get('/console/apps', route(listAppConnectionsContract), async ({ session, query }) => {
    const page = await listAppConnections(context, session.memberId, pageRequestOf(query))
    return { apps: page.items.map(appConnectionAnswer), next_cursor: page.nextCursor }
  })

  app.post('/console/apps/:connection_id/end', route(endAppConnectionContract), async ({ session, params }) =>
    appConnectionAnswer(await endAppConnection(context, session, params.connection_id)),
  )

  app.get(
    '/console/apps/:connection_id/calls',
    route(listAppCallsContract),
    async ({ session, params, query }) => {
      const page = await listAppCalls(context, session.memberId, params.connection_id, pageRequestOf(query))
      return {
        calls: page.items.map((call) => ({
          call_id: call.callId,
          company: call.company && companyNameAnswer(call.company),
          method: call.method,
          path: call.path,
          status: call.status,
          code: call.code,
          called_at: call.calledAt.toISOString(),
        })),
        next_cursor: page.nextCursor,
      }
    },
  )

  app.get(
    '/console/companies/:company_id/apps',
    route(listAppsOfCompanyContract),
    async ({ session, params, query }) => {
      const page = await listAppsOfCompany(context, session, params.company_id, pageRequestOf(query))
      return {
        apps: page.items.map((reading) => ({
          connection_id: reading.connectionId,
          client_id: reading.clientId,
          client_name: reading.clientName,
          redirect_host: reading.redirectHost,
          member: { member_id: reading.member.memberId, name: reading.member.name },
          permissions: reading.permissions,
          every_company: reading.everyCompany,
          consented_at: reading.consentedAt.toISOString(),
          expires_at: reading.expiresAt.toISOString(),
          last_called_at: reading.lastCalledAt?.toISOString() ?? null,
        })),
        next_cursor: page.nextCursor,
      }
    },
  )
}
