import type { Context } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { showUsageContract } from './contract.ts'
import { showUsage } from './show-usage.ts'

/** What companies hold: for the pages. */
export async function registerUsageRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)

  app.get('/console/companies/:company_id/usage', route(showUsageContract), async ({ session, params }) =>
    showUsage(context, session, params.company_id),
  )
}
