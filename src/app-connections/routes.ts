import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { pageRequestOf } from '../http/pagination-query.ts'
import { checkCsrfToken } from '../sessions/check-csrf-token.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { appConnectionAnswer, companyNameAnswer } from './app-connection-answer.ts'
import { endAppConnectionContract, listAppCallsContract, listAppConnectionsContract } from './contract.ts'
import { endAppConnection } from './end-app-connection.ts'
import { listAppCalls } from './list-app-calls.ts'
import { listAppConnections } from './list-app-connections.ts'

/** What members allow apps: for the pages. */
export async function registerAppConnectionRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)

  app.get('/console/apps', route(listAppConnectionsContract), async ({ session, query }) => {
    const page = await listAppConnections(context, session.memberId, pageRequestOf(query))
    return { apps: page.items.map(appConnectionAnswer), next_cursor: page.nextCursor }
  })

  app.post('/console/apps/:connection_id/end', route(endAppConnectionContract), async (request) => {
    checkCsrfToken(context, request)
    return appConnectionAnswer(await endAppConnection(context, request.session, request.params.connection_id))
  })

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
}
