import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { pageRequestOf } from '../http/pagination-query.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { listRefusedCallsContract } from './contract.ts'
import { listRefusedCalls, type ListedRefusedCall } from './list-refused-calls.ts'

/** What the developer page shows of calls that never became a delivery. */
export async function registerRefusedCallRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)

  app.get(
    '/console/companies/:company_id/refused-calls',
    route(listRefusedCallsContract),
    async ({ session, params, query }) => {
      const { companyId } = await requireRole(context.pool, session, params.company_id, 'developer')
      const { source = null, connection = null, channel = null } = query
      const filter = { sourceId: source, connectionId: connection, channel }
      const list = await listRefusedCalls(context, companyId, filter, pageRequestOf(query))
      return { refused_calls: list.items.map(callAnswer), count: list.count, next_cursor: list.nextCursor }
    },
  )
}

function callAnswer(call: ListedRefusedCall) {
  const { connection } = call
  return {
    call_id: call.callId,
    channel: call.channel,
    source_id: call.sourceId,
    connection: connection && { connection_id: connection.connectionId, name: connection.name },
    signed: call.signed,
    method: call.method,
    path: call.path,
    status: call.status,
    code: call.code,
    field: call.field,
    calls: call.calls,
    called_at: call.calledAt,
  }
}
