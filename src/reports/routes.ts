import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { route, type App } from '../http/contract.ts'
import { notFound } from '../http/errors.ts'
import { pageRequestOf } from '../http/pagination-query.ts'
import { guardSession } from '../sessions/guard-session.ts'
import type { DeliveryReport } from '../samples/delivery-report.ts'
import { lastDeliveries } from '../samples/last-deliveries.ts'
import { listDeliveries } from '../samples/list-deliveries.ts'
import { queryText } from '../samples/query-text.ts'
import { readWindow } from '../samples/read-window.ts'
import { showDelivery } from '../samples/show-delivery.ts'
import { companyDay } from '../samples/company-day.ts'
import { findSource } from '../sources/show-source.ts'
import {
  listDeliveriesContract,
  listLastDeliveriesContract,
  readReportContract,
  showDeliveryReportContract,
} from './contract.ts'
import { registerMetricReportRoutes } from './report-routes.ts'

function deliveryReportAnswer(delivery: DeliveryReport) {
  return {
    artifact_id: delivery.artifactId,
    source_id: delivery.sourceId,
    sandbox: delivery.sandbox,
    received_at: delivery.receivedAt,
    shape_version: delivery.shapeVersion,
    delivers: delivery.delivers,
    dropped_keys: delivery.droppedKeys,
    content_bytes: delivery.contentBytes,
    state: delivery.state,
    reason: delivery.reason,
    rows_accepted: delivery.rowsAccepted,
    rows_refused: delivery.rowsRefused,
    rows_date_alone: delivery.rowsDateAlone,
  }
}

/** Reports and the developer page: for the pages. What is sent as a test reaches no report. */
export async function registerReportRoutes(app: App, context: Context): Promise<void> {
  await guardSession(app, context)
  registerReportRoute(app, context)
  registerMetricReportRoutes(app, context)
  registerDeliveryReportRoutes(app, context)
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

/** What the developer page shows of deliveries. */
function registerDeliveryReportRoutes(app: App, context: Context): void {
  // Reads have connections of their own: they take none from pushes.
  const on = { pool: context.readPool }
  const { limit } = app.reads

  app.get(
    '/console/companies/:company_id/last-deliveries',
    route(listLastDeliveriesContract),
    async ({ session, params, query }) => {
      await requireRole(context.pool, session, params.company_id, 'developer')
      const { company_id: companyId } = params
      const page = await limit(companyId, () =>
        lastDeliveries(on, companyId, query.sandbox === 'true', pageRequestOf(query)),
      )
      return { deliveries: page.items.map(deliveryReportAnswer), next_cursor: page.nextCursor }
    },
  )

  app.get(
    '/console/companies/:company_id/sources/:source_id/deliveries',
    route(listDeliveriesContract),
    async ({ session, params, query }) => {
      await requireRole(context.pool, session, params.company_id, 'developer')
      const { sourceId } = await findSource(context, session, params.company_id, params.source_id)
      const { company_id: companyId } = params
      const page = await limit(companyId, () =>
        listDeliveries(on, companyId, sourceId, query.sandbox === 'true', pageRequestOf(query)),
      )
      return { deliveries: page.items.map(deliveryReportAnswer), next_cursor: page.nextCursor }
    },
  )

  app.get(
    '/console/companies/:company_id/deliveries/:artifact_id',
    route(showDeliveryReportContract),
    async ({ session, params }) => {
      await requireRole(context.pool, session, params.company_id, 'developer')
      const { company_id: companyId, artifact_id: artifactId } = params
      const delivery = await limit(companyId, () => showDelivery(on, companyId, artifactId))
      if (delivery === undefined) throw notFound()
      return { ...deliveryReportAnswer(delivery), refusals: delivery.refusals }
    },
  )
}
