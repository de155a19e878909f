import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { roleCovers } from '../../people/access/role.ts'
import { requireRole, type ActorsCompany } from '../../people/members/require-role.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { createAnswerCache } from '../../platform/reads/answer-cache.ts'
import { toRenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import type { Reads } from '../../platform/reads/reads.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { formatEventTime } from '../../engine/samples/format-event-time.ts'
import { queryText, type RawQuery } from '../../platform/http/requests/query-text.ts'
import type { Session } from '../../people/sessions/session.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { createForEachShard, type Context, type DirectoryContext } from '../../context.ts'
import { memberAnswer } from '../../company/sources/to-source-answer.ts'
import { formatDay, type Period } from '../../formats/values/period.ts'
import { listReports, type ReportContext, type SourceReports } from './list-reports.ts'
import { readReport, type ReportRequest } from './read-report.ts'
import { downloadReportContract, listReportsContract, readMetricReportContract } from './contract.ts'
import { traceReportContract } from './trace-contract.ts'
import { queryFilter, queryInstant } from './report-query.ts'
import { traceValue, type TracedShare, type ValueTrace, type ValueTraceRequest } from './trace-value.ts'
import { fileName, writeCsv, type FileReport } from './write-csv.ts'

/** Rendered reports that one process caches, in bytes. */
const reportCacheBytesMax = 33_554_432

const company = '/console/companies/:company_id'
const source = `${company}/sources/:source_id` as const

/** Reports, their files, and the trace of a value, for members of every role. */
export async function registerReportRoutes(app: App, context: DirectoryContext): Promise<void> {
  await guardSession(app, context)
  const { reads } = app
  const cache = createAnswerCache(reportCacheBytesMax)
  const toReportContext = createForEachShard((at: Context): ReportContext => {
    const { pool, readPool, clock } = at
    return { pool, readPool, clock, limit: reads.limitOn(readPool), read: reads.onBasis(at), cache }
  })
  /** The company, if the member may read it, and the reports of its shard. */
  const openReports: OpenReports = async ({ session, params }) => {
    const reports = toReportContext(await context.shards.ofCompany(params.company_id))
    return { reports, of: await requireRole(reports.pool, session, params.company_id, 'reader') }
  }
  registerListRoute(app, openReports, reads)
  registerReadRoutes(app, openReports, reads)
  registerFileRoute(app, context, openReports, reads)
  registerTraceRoute(app, openReports)
}

type OpenReports = (request: {
  session: Session
  params: { company_id: string }
}) => Promise<{ reports: ReportContext; of: ActorsCompany }>

function registerListRoute(app: App, openReports: OpenReports, { send }: Reads): void {
  app.get(`${company}/reports`, route(listReportsContract), async (request, reply) => {
    const { query } = request
    const { reports, of } = await openReports(request)
    const { companyId, timeZone } = of
    const page = await listReports(reports, { companyId, timeZone }, toPageRequest(query))
    const answer = {
      reports: page.items.flatMap(cardAnswers),
      today: formatDay(companyDay(timeZone, reports.clock.now())),
      time_zone: timeZone,
      next_cursor: page.nextCursor,
    }
    const { bytes, etag } = toRenderedAnswer(JSON.stringify(answer))
    return send({ request, reply, companyId }, etag, () => bytes)
  })
}

function cardAnswers(of: SourceReports): object[] {
  const { lastReceivedAt, usualSeconds, late } = of.freshness
  return of.cards.map((card) => ({
    source_id: of.sourceId,
    source_name: of.name,
    source_state: of.pausedAt === null ? 'active' : 'paused',
    paused_at: of.pausedAt,
    paused_by: memberAnswer(of.pausedBy),
    ...card,
    freshness: { last_received_at: lastReceivedAt, usual_seconds: usualSeconds, late },
  }))
}

interface ReportQuery {
  grain?: Period
  from?: string
  to?: string
  by?: string
  compare?: 'year'
  as_of?: string
}

function toReportRequest(
  { source_id: sourceId, metric }: { source_id: string; metric: string },
  query: ReportQuery,
): ReportRequest {
  const { grain, from, to, by, compare } = query
  const filter = queryFilter(query as RawQuery, 'where.')
  return {
    sourceId,
    metric,
    grain,
    from,
    to,
    by,
    filter,
    yearBefore: compare === 'year',
    asOf: queryInstant(query),
  }
}

function registerReadRoutes(app: App, openReports: OpenReports, { send }: Reads): void {
  app.get(`${source}/reports/:metric`, route(readMetricReportContract), async (request, reply) => {
    const { params, query } = request
    const { reports, of } = await openReports(request)
    const { bytes, etag } = await readReport(reports, of, toReportRequest(params, query))
    return send({ request, reply, companyId: of.companyId }, etag, () => bytes)
  })
}

/** A file leaves the service, so it is recorded who took it. */
function registerFileRoute(
  app: App,
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  openReports: OpenReports,
  { reserve }: Reads,
): void {
  app.get(`${source}/reports/:metric/file.csv`, route(downloadReportContract), async (request, reply) => {
    const { params, query, session } = request
    const { reports, of } = await openReports(request)
    const answer = await readReport(reports, of, toReportRequest(params, query))
    const report: FileReport & { source_name: string } = JSON.parse(answer.bytes.toString())
    const file = Buffer.from(writeCsv(report, query.language ?? 'en'))
    reserve(reply.raw, of.companyId, file)
    await recordAuditEvent(context.pool, {
      companyId: of.companyId,
      actor: session,
      action: 'report_downloaded',
      subject: { kind: 'source', id: params.source_id, name: report.source_name },
      details: { metric: params.metric },
      atMs: context.clock.now(),
    })
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${fileName(report)}"`)
      .send(file)
  })
}

function registerTraceRoute(app: App, openReports: OpenReports): void {
  app.get(`${source}/samples/trace`, route(traceReportContract), async (call) => {
    const { params, query } = call
    const { reports, of } = await openReports(call)
    const { grain, period_start: periodStart } = query
    const request: ValueTraceRequest = {
      ...toPageRequest(query),
      sourceId: params.source_id,
      metric: queryText(query as RawQuery, 'metric')!,
      grain,
      periodStart,
      filter: queryFilter(query as RawQuery, 'label.'),
      except: queryFilter(query as RawQuery, 'not.'),
      asOf: queryInstant(query),
    }
    const trace = await traceValue(reports, of, request)
    return traceAnswer(request, trace, roleCovers(of.role, 'developer'))
  })
}

function traceAnswer(request: ValueTraceRequest, trace: ValueTrace, isVisible: boolean) {
  const { sourceId, metric, filter, except, asOf } = request
  return {
    source_id: sourceId,
    metric,
    grain: trace.grain,
    period_start: trace.periodStart,
    period_end: trace.periodEnd,
    labels: Object.fromEntries(filter),
    except: Object.fromEntries(except),
    value: trace.value,
    as_of: asOf ?? null,
    value_then: trace.valueThen,
    restated: trace.restated,
    delivery_visible: isVisible,
    deliveries: trace.deliveries.items.map((share) => shareAnswer(share, asOf)),
    next_cursor: trace.deliveries.nextCursor,
  }
}

function shareAnswer(share: TracedShare, asOf: string | undefined) {
  return {
    artifact_id: share.artifact_id,
    received_at: share.received_at,
    shape_version: share.shape_version,
    value: share.value,
    rows: share.rows,
    rows_refused: share.rows_refused,
    covers: share.covers,
    counts_now: share.counts_now,
    counts_then: share.counts_then,
    received_then: asOf === undefined ? null : share.received_at.getTime() <= Date.parse(asOf),
    added: share.added,
    event_at: share.event_at === null ? null : formatEventTime(share.event_at),
    superseded: share.superseded,
    superseded_by: share.superseded_by ?? [],
    step: share.step,
    replaces: share.replaces ?? [],
    running: share.running,
  }
}
