import { requireRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { listRefusedCallsContract } from './contract.ts'
import { listRefusedCalls } from './list-refused-calls.ts'

/** Calls that never became a delivery, for the developer page. */
export async function registerRefusedCallRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)

  app.get(
    '/console/companies/:company_id/refused-calls',
    route(listRefusedCallsContract),
    async ({ session, params, query }) => {
      const { companyId } = await requireRole(context.pool, session, params.company_id, 'developer')
      const { source = null, connection = null, channel = null } = query
      const filter = { sourceId: source, connectionId: connection, channel }
      return listRefusedCalls(
        await context.shards.ofCompany(companyId),
        companyId,
        filter,
        toPageRequest(query),
      )
    },
  )
}
