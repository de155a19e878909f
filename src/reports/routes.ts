import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { guardSession } from '../sessions/guard-session.ts'
import { queryText } from '../samples/query-text.ts'
import { readWindow } from '../samples/read-window.ts'
import { companyDay } from '../samples/company-day.ts'
import { findSource } from '../sources/show-source.ts'
import { readReportContract } from './contract.ts'
import { registerMetricReportRoutes } from './report-routes.ts'

/** Reports, for the pages. What is sent as a test reaches no report. */
export async function registerReportRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)
  registerReportRoute(app, context)
  registerMetricReportRoutes(app, context)
}

function registerReportRoute(app: App, context: Context): void {
  const { samples: readSamples, hold } = app.reads

  app.get(
    '/console/companies/:company_id/sources/:source_id/samples',
    route(readReportContract),
    async ({ session, params, query }, reply) => {
      const company = await requireRole(context.pool, session, params.company_id, 'reader')
      const { sourceId, projectionId, samplesVersion } = await findSource(
        context,
        session,
        params.company_id,
        params.source_id,
      )
      const { bytes } = await readSamples({
        companyId: company.companyId,
        sourceId,
        projectionId,
        samplesVersion,
        sandbox: false,
        window: readWindow(query.from, query.to, companyDay(company.timeZone, context.clock.now())),
        metric: queryText(query, 'metric'),
      })
      hold(reply.raw, company.companyId, bytes)
      return reply.type('application/json; charset=utf-8').send(bytes)
    },
  )
}
