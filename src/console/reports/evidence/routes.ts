import { recordAuditEvent } from '../../../company/audit/record-audit-event.ts'
import { createForEachShard, type Context, type DirectoryContext } from '../../../context.ts'
import type { Period } from '../../../formats/values/period.ts'
import { requireRole } from '../../../people/members/require-role.ts'
import { guardSession } from '../../../people/sessions/guard-session.ts'
import type { Session } from '../../../people/sessions/session.ts'
import { route, type App } from '../../../platform/http/contract.ts'
import type { RawQuery } from '../../../platform/http/requests/query-text.ts'
import { toRenderedAnswer } from '../../../platform/reads/rendered-answer.ts'
import { queryFilter } from '../../values/query-filter.ts'
import { queryInstant } from '../report-query.ts'
import { downloadEvidenceContract, readEvidenceContract } from './contract.ts'
import { readEvidence, type EvidenceReports } from './read-evidence.ts'

const path = '/console/companies/:company_id/sources/:source_id/reports/:metric/evidence'

interface Call {
  session: Session
  params: { company_id: string; source_id: string; metric: string }
  query: { period_start: string; grain?: Period; as_of?: string }
}

/** The evidence of a figure, on its page and as a file, for members of every role. */
export async function registerEvidenceRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)
  const { reads } = app
  const toReportContext = createForEachShard((at: Context): EvidenceReports => {
    const { pool, readPool, clock } = at
    return { pool, readPool, clock, limit: reads.limitOn(readPool), read: reads.onBasis(at) }
  })
  const read = async ({ session, params, query }: Call) => {
    const reports = toReportContext(await context.shards.ofCompany(params.company_id))
    const company = await requireRole(reports.pool, session, params.company_id, 'reader')
    const contents = { pool: reports.readPool, limit: reports.limit, threads: app.contentThreads }
    return readEvidence({ reports, contents, baseUrl: context.config.baseUrl }, company, {
      sourceId: params.source_id,
      metric: params.metric,
      grain: query.grain,
      periodStart: query.period_start,
      filter: queryFilter(query as RawQuery, 'label.'),
      except: queryFilter(query as RawQuery, 'not.'),
      asOf: queryInstant(query),
    })
  }

  app.get(path, route(readEvidenceContract), async (request, reply) => {
    const { json } = await read(request)
    const { bytes, etag } = toRenderedAnswer(json)
    return reads.send({ request, reply, companyId: request.params.company_id }, etag, () => bytes)
  })

  // A file leaves the service, so it is recorded who took it.
  app.get(`${path}/file.json`, route(downloadEvidenceContract), async (request, reply) => {
    const { params, query, session } = request
    const { json, sourceName } = await read(request)
    const file = Buffer.from(json)
    reads.reserve(reply.raw, params.company_id, file)
    await recordAuditEvent(context.pool, {
      companyId: params.company_id,
      actor: session,
      action: 'evidence_downloaded',
      subject: { kind: 'source', id: params.source_id, name: sourceName },
      details: { metric: params.metric, period_start: query.period_start },
      atMs: context.clock.now(),
    })
    const name = `evidence-${params.metric.replaceAll(/[^a-z0-9]+/gi, '-')}-${query.period_start}.json`
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(file)
  })
}
