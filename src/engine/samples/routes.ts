import type { FastifyRequest } from 'fastify'
import type { AdmittedCompany, AdmittedSource } from '../../people/access/admission.ts'
import { listCallableCompanies } from '../../people/access/list-callable-companies.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import type { Context, DirectoryContext } from '../../context.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { prefersCsv } from '../../platform/http/requests/prefers-csv.ts'
import { queryText, type RawQuery } from '../../platform/http/requests/query-text.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { samplesVersionBasis } from './basis.ts'
import { readSamplesContract, traceSampleContract } from './contract.ts'
import { showDeliveryContract } from './delivery-contract.ts'
import { listCompaniesContract, listReadableSourcesContract } from './names-contract.ts'
import type { DeliveryReportInFull } from './delivery-report.ts'
import { listReadableSources } from './list-readable-sources.ts'
import { createReadSamples } from './read-samples.ts'
import { readSamplesCursor } from './samples-cursor.ts'
import { queryLabels, queryMetric, queryPage } from './samples-query.ts'
import { readInstant } from '../../platform/reads/read-instant.ts'
import { readDay, readWindow } from '../../platform/reads/read-window.ts'
import { showDelivery } from './show-delivery.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { traceAnswer } from './trace-answer.ts'
import { traceSample, type TraceRequest } from './trace-sample.ts'

/** For routes whose contract requires a source. */
function getSource(request: FastifyRequest): AdmittedSource {
  return request.admission.source!
}

/** For routes whose contract requires a company. */
function getCompany(request: FastifyRequest): AdmittedCompany {
  return request.admission.company!
}

/** Runs a read of the present in its turn, on the connections for reads of the company's shard. */
function readInTurn<Result>(
  app: App,
  { shards }: DirectoryContext,
  { companyId, shard }: AdmittedCompany,
  read: (on: { pool: Context['readPool'] }) => Promise<Result>,
): Promise<Result> {
  const { readPool: pool } = shards.get(shard)
  return app.reads.limitOn(pool)(companyId, () => read({ pool }))
}

function required(text: string | undefined, name: string): string {
  if (text === undefined || text === '')
    throw invalidArgument(`${name} is missing: name it in the query.`, name)
  return text
}

/** What can be read over HTTP: samples and where they come from. */
export async function registerSampleRoutes(app: App, context: DirectoryContext): Promise<void> {
  registerReadRoute(app, context)
  registerTraceRoute(app, context)
  registerShowDeliveryRoute(app, context)
  registerListRoutes(app, context)
}

function registerReadRoute(app: App, context: DirectoryContext): void {
  const { onBasis, send } = app.reads
  const readSamples = createReadSamples()

  app.get('/v1/samples', route(readSamplesContract), async (request, reply) => {
    const { sandbox } = request.admission
    const { companyId, timeZone, shard } = getCompany(request)
    const { sourceId, projectionId, samplesVersion } = getSource(request)
    const query = request.query as RawQuery
    const day = companyDay(timeZone, context.clock.now())
    const given = queryText(query, 'cursor')
    const cursor = given === undefined ? undefined : readSamplesCursor(given)
    const window = readWindow(queryText(query, 'from'), queryText(query, 'to'), cursor?.lastDay ?? day)
    const asOf = queryText(query, 'as_of')
    const isCsv = prefersCsv(request.headers.accept)
    reply.header('vary', 'Accept')
    const { bytes, etag, next } = await readSamples(onBasis(context.shards.get(shard)), {
      companyId,
      sourceId,
      projectionId,
      samplesVersion,
      sandbox,
      window,
      metric: queryMetric(query),
      labels: queryLabels(query),
      asOfMs: asOf === undefined ? undefined : readInstant(asOf, 'as_of'),
      cursor,
      isCsv,
    })
    const call = { request, reply, companyId }
    if (!isCsv) return send(call, etag, () => bytes)
    reply.header('samples-truncated', String(next !== null))
    reply.header('samples-narrowed', String(window.narrowed))
    if (next !== null) reply.header('samples-next', next)
    return send({ ...call, type: 'text/csv; charset=utf-8; header=present' }, etag, () => bytes)
  })
}

function registerTraceRoute(app: App, context: DirectoryContext): void {
  app.get('/v1/samples/trace', route(traceSampleContract), async (request) => {
    const { sandbox } = request.admission
    const company = getCompany(request)
    const { sourceId, projectionId, samplesVersion } = getSource(request)
    const query = request.query as RawQuery
    const metric = required(queryMetric(query), 'metric')
    const periodStart = required(queryText(query, 'period_start'), 'period_start')
    readDay(periodStart, 'period_start')
    const { companyId } = company
    const cell: TraceRequest = {
      ...queryPage(query),
      companyId,
      sourceId,
      projectionId,
      sandbox,
      metric,
      periodStart,
      labels: queryLabels(query),
    }
    const basis = samplesVersionBasis({ companyId, sourceId, projectionId, samplesVersion })
    const read = app.reads.onBasis(context.shards.get(company.shard))
    const trace = await read({ companyId, basis }, (on) => traceSample(on, cell))
    return traceAnswer(cell, trace)
  })
}

function registerShowDeliveryRoute(app: App, context: DirectoryContext): void {
  app.get('/v1/deliveries/:artifact_id', route(showDeliveryContract), async (request) => {
    const { sandbox, boundSourceId } = request.admission
    const company = getCompany(request)
    const { artifact_id: artifactId } = request.params
    if (!uuidPattern.test(artifactId)) throw notFound()
    const { companyId } = company
    const delivery = await readInTurn(app, context, company, (on) => showDelivery(on, companyId, artifactId))
    // A delivery that the caller may not see does not exist for it.
    if (!delivery || delivery.sandbox !== sandbox) throw notFound()
    if (boundSourceId !== null && delivery.sourceId !== boundSourceId) throw notFound()
    return deliveryAnswer(delivery)
  })
}

/** What a caller may name: sources, and companies. */
function registerListRoutes(app: App, context: DirectoryContext): void {
  app.get('/v1/sources', route(listReadableSourcesContract), async (request) => {
    const { boundSourceId, permissions } = request.admission
    const { companyId } = getCompany(request)
    const requested = queryPage(request.query as RawQuery)
    const pushOnly = !permissions.includes('metrics.read')
    const page = await readInTurn(app, context, getCompany(request), (on) =>
      listReadableSources(on, { companyId, boundSourceId, pushOnly }, requested),
    )
    return { sources: page.items, next_cursor: page.nextCursor }
  })

  app.get('/v1/companies', route(listCompaniesContract), async (request) => {
    const { admission } = request
    const { readPool: pool } = context
    const companies = await app.reads.limitOn(pool)(admission.connectionId, () =>
      listCallableCompanies({ pool }, admission),
    )
    return {
      companies: companies.map((company) => ({
        orgnr: formatOrgnr(company.orgnr),
        name: company.name,
        time_zone: company.timeZone,
      })),
    }
  })
}

function deliveryAnswer(delivery: DeliveryReportInFull) {
  return {
    artifact_id: delivery.artifactId,
    source_id: delivery.sourceId,
    state: delivery.state,
    reason: delivery.reason,
    received_at: delivery.receivedAt,
    shape_version: delivery.shapeVersion,
    delivers: delivery.delivers,
    sandbox: delivery.sandbox,
    dropped_keys: delivery.droppedKeys,
    rows_accepted: delivery.rowsAccepted,
    rows_refused: delivery.rowsRefused,
    rows_date_alone: delivery.rowsDateAlone,
    ...delivery.remarks,
    refusals: delivery.refusals,
  }
}
