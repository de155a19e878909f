import type { FastifyReply } from 'fastify'
import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { readAnnotationsBetween } from '../../company/notes/annotations.ts'
import { roleCovers } from '../../people/access/role.ts'
import { listLooks, recordLook } from '../../people/members/report-looks.ts'
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
import { createThreadPool } from '../../platform/threads/thread-pool.ts'
import { createForEachShard, type Context, type DirectoryContext } from '../../context.ts'
import { memberAnswer } from '../../company/sources/to-source-answer.ts'
import { formatDay, type Period } from '../../formats/values/period.ts'
import { toAnnotationColumns } from './annotation-columns.ts'
import { listReports, type ReportContext, type SourceReports } from './list-reports.ts'
import type { MetricCard } from './report-card.ts'
import { readReport, type ReportRequest } from './read-report.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { listReportsContract, readMetricReportContract } from './contract.ts'
import { downloadReportContract, downloadWorkbookContract } from './file-contract.ts'
import { lookAtReportContract } from './look-contract.ts'
import { contentDisposition, type FileOf } from './file-name.ts'
import { readChanges } from './read-changes.ts'
import { traceReportContract } from './trace-contract.ts'
import { queryFilter, queryInstant } from './report-query.ts'
import { traceValue, type TracedShare, type ValueTrace, type ValueTraceRequest } from './trace-value.ts'
import { writeCsv, type FileColumn, type FileLanguage } from './write-csv.ts'
import type * as xlsxThread from './write-xlsx.ts'
import type { XlsxTask } from './write-xlsx.ts'

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
  registerLookRoute(app, openReports)
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
    const looks = await listLooks(reports.pool, { companyId, memberId: request.session.memberId })
    const page = await listReports(reports, { companyId, timeZone }, toPageRequest(query))
    const answer = {
      reports: page.items.flatMap((each) => cardAnswers(each, looks)),
      today: formatDay(companyDay(timeZone, reports.clock.now())),
      time_zone: timeZone,
      next_cursor: page.nextCursor,
    }
    const { bytes, etag } = toRenderedAnswer(JSON.stringify(answer))
    return send({ request, reply, companyId }, etag, () => bytes)
  })
}

function cardAnswers(of: SourceReports, looks: Awaited<ReturnType<typeof listLooks>>): object[] {
  const { lastReceivedAt, usualSeconds, late } = of.freshness
  return of.cards.map((card) => ({
    source_id: of.sourceId,
    source_name: of.name,
    source_state: of.pausedAt === null ? 'active' : 'paused',
    paused_at: of.pausedAt,
    paused_by: memberAnswer(of.pausedBy),
    ...card,
    changed_since_look: isChangedSince(card, looks.get(`${of.sourceId} ${card.metric}`)),
    freshness: { last_received_at: lastReceivedAt, usual_seconds: usualSeconds, late },
  }))
}

function isChangedSince({ restated_periods: restated }: MetricCard, lookedAt: Date | undefined): boolean {
  return lookedAt !== undefined && restated.some(({ restated_at: at }) => Date.parse(at) > lookedAt.getTime())
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

function registerLookRoute(app: App, openReports: OpenReports): void {
  app.put(`${source}/reports/:metric/look`, route(lookAtReportContract), async (request) => {
    const { params, query, session } = request
    const { reports, of } = await openReports(request)
    const looked = toReportRequest(params, query)
    // What does not exist is not recorded.
    await readChanges(reports, of, looked, null)
    const { companyId } = of
    const { sourceId, metric } = looked
    const lookedAt = await recordLook(reports, session, { companyId, sourceId, metric })
    return { looked_at: lookedAt, changed: await readChanges(reports, of, looked, lookedAt) }
  })
}

/** Workbooks that one process writes at the same time, one for each company, and how long each may take, in milliseconds. */
const workbooksMax = 1
const workbookMsMax = 10_000
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A file leaves the service, so it is recorded who took it. */
function registerFileRoute(
  app: App,
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  openReports: OpenReports,
  { reserve }: Reads,
): void {
  const threads = createThreadPool<typeof xlsxThread>(new URL('write-xlsx.ts', import.meta.url), {
    threadsMax: workbooksMax,
    msMax: workbookMsMax,
  })
  app.addHook('onClose', () => threads.close())

  const send = async (
    { request, reply, of }: { request: FileRequest; reply: FastifyReply; of: ActorsCompany },
    report: XlsxTask['report'],
    { file, ...named }: Pick<FileOf, 'readAt' | 'ending'> & { file: Buffer; type: string },
  ): Promise<FastifyReply> => {
    const { params, session } = request
    reserve(reply.raw, of.companyId, file)
    await recordAuditEvent(context.pool, {
      companyId: of.companyId,
      actor: session,
      action: 'report_downloaded',
      subject: { kind: 'source', id: params.source_id, name: report.source_name },
      details: { metric: params.metric },
      atMs: context.clock.now(),
    })
    const { readAt, ending, type } = named
    const name = contentDisposition(report, { company: of.name, source: report.source_name, readAt, ending })
    return reply.header('content-type', type).header('content-disposition', name).send(file)
  }

  const read = async (call: FileCall) => {
    const { params, query } = call
    const { reports, of } = await openReports(call)
    const { bytes } = await readReport(reports, of, toReportRequest(params, query))
    const report: XlsxTask['report'] = JSON.parse(bytes.toString())
    const language = query.language ?? 'en'
    const further = await readAnnotationColumns(reports, of, report, language)
    return { of, report, language, further, readAt: new Date(context.clock.now()).toISOString() }
  }

  app.get(`${source}/reports/:metric/file.csv`, route(downloadReportContract), async (request, reply) => {
    const { of, report, language, further, readAt } = await read(request)
    const file = Buffer.from(writeCsv(report, language, readAt, further))
    const type = 'text/csv; charset=utf-8'
    return send({ request, reply, of }, report, { file, readAt, ending: 'csv', type })
  })

  app.get(`${source}/reports/:metric/file.xlsx`, route(downloadWorkbookContract), async (request, reply) => {
    const { of, ...rest } = await read(request)
    const task: XlsxTask = {
      ...rest,
      company: { name: of.name, orgnr: formatOrgnr(of.orgnr) },
      address: toPageAddress(context.config.baseUrl, of.companyId, request.params, request.query as RawQuery),
    }
    const bytes = await threads.inTurn(of.companyId, () => threads.run('workbook', task))
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const named = { file, readAt: rest.readAt, ending: 'xlsx', type: workbookType } as const
    return send({ request, reply, of }, rest.report, named)
  })
}

async function readAnnotationColumns(
  { pool }: ReportContext,
  { companyId }: ActorsCompany,
  report: XlsxTask['report'],
  language: FileLanguage,
): Promise<FileColumn[]> {
  const { window, source_id: sourceId, metric } = report
  const annotations = await readAnnotationsBetween(
    pool,
    { companyId, sourceId, metric },
    window.from,
    window.to,
  )
  return toAnnotationColumns(report, annotations, language)
}

/** A call for a file, as `openReports` and the reading of a report take it. */
type FileCall = Parameters<OpenReports>[0] & {
  params: { source_id: string; metric: string }
  query: ReportQuery & { language?: FileLanguage }
}

interface FileRequest {
  params: { source_id: string; metric: string }
  session: Session
}

/** The report's page with the same days, labels and filters. */
function toPageAddress(
  baseUrl: string,
  companyId: string,
  params: FileRequest['params'],
  query: RawQuery,
): string {
  const page = `${baseUrl}/companies/${companyId}/reports/${params.source_id}/${encodeURIComponent(params.metric)}`
  const { language: _language, compare: _compare, to, ...rest } = query
  const shown: RawQuery = typeof to === 'string' ? { ...rest, to: dayBefore(to) } : rest
  const text = new URLSearchParams(
    Object.entries(shown).flatMap(([name, given]) =>
      [given].flat().map((value): [string, string] => [name, String(value)]),
    ),
  )
  return `${page}?${text}`
}

/** Pages name the last day, calls the one after it. */
function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
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
