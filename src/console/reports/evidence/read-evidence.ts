import { uuidArray } from '../../../platform/database/binary-array.ts'
import { invalidArgument } from '../../../platform/http/errors/errors.ts'
import { roleCovers } from '../../../people/access/role.ts'
import type { ActorsCompany } from '../../../people/members/require-role.ts'
import { maskFilters } from '../../../engine/declarations/mask-filters.ts'
import { formatEventTime } from '../../../engine/samples/format-event-time.ts'
import { byCodePoint } from '../../../formats/values/by-code-point.ts'
import { formatOrgnr } from '../../../formats/values/orgnr.ts'
import { lowestUuidv7 } from '../../../formats/values/uuidv7.ts'
import { readValueRows } from '../../deliveries/content/value-rows.ts'
import type { ContentContext } from '../../deliveries/content/stored-delivery.ts'
import type { ReportValueRequest, LabelFilter } from '../../values/report-value.ts'
import type { ReportContext } from '../list-reports.ts'
import { findReportSource, toSubject } from '../read-report.ts'
import { metricParams, type ValuesSubject } from '../read-values.ts'
import { describeMetric, getCombination } from '../report-metric.ts'
import { traceValue, type TracedShare, type ValueTraceRequest } from '../trace-value.ts'
import { canonicalSha256, evidenceCode, toCanonicalText } from './evidence-code.ts'
import {
  countUnparsed,
  selectEvidenceDeliveries,
  selectEvidenceSource,
  selectNumberFrom,
  selectReplacements,
  type EvidenceDeliveryRow,
} from './queries.ts'

/** Deliveries that a bundle lists, the latest ones. */
export const evidenceDeliveriesMax = 600
/** Deliveries whose rows are listed, the latest ones, and rows of each. */
export const evidenceRowDeliveriesMax = 20
export const evidenceRowsMax = 100
/** Deliveries of one read. */
const pageMax = 200
/** Unparsed deliveries are counted up to this number. */
const unparsedMax = 1_000
/** Receive numbers and receive times may differ in their order by less than this, in milliseconds. */
const disorderMsMax = 60_000

export interface EvidenceRequest extends Omit<ValueTraceRequest, 'asOf' | 'cursor' | 'limit'> {
  /** RFC 3339 in UTC; by default now. */
  asOf?: string | undefined
}

/** Evidence is never cached. */
export type EvidenceReports = Omit<ReportContext, 'cache'>

export interface EvidenceContext {
  reports: EvidenceReports
  contents: ContentContext
  baseUrl: string
}

/**
 * A figure with everything that proves it, as canonical JSON. `content` and its code are the same for every role and at
 * every later moment; `details` are what may change, and what the role may see.
 *
 * @throws 400 with field `as_of` if that is in the future; otherwise as `traceValue`
 */
export async function readEvidence(
  { reports, contents, baseUrl }: EvidenceContext,
  company: ActorsCompany,
  request: EvidenceRequest,
): Promise<{ json: string; sourceName: string }> {
  const now = reports.clock.now()
  const asOf = request.asOf ?? new Date(now).toISOString()
  if (Date.parse(asOf) > now) throw invalidArgument('It is in the future.', 'as_of')
  const { companyId } = company
  const source = await findReportSource(reports, companyId, request.sourceId)
  const subject = toSubject(companyId, source, request.metric)
  const traced = await traceAll(reports, company, { ...request, asOf })
  const { trace, shares } = traced
  const facts = await readFacts(reports, subject, traced, asOf)
  const content = toContent(company, { ...request, asOf }, subject, traced, facts)
  const isVisible = roleCovers(company.role, 'developer')
  const details = {
    company_name: company.name,
    source_name: source.name,
    metric_name: describeMetric(subject.metric).name,
    shape_version: facts.source.shape_version,
    saved_at: facts.source.saved_at,
    rebuilding: facts.source.rebuilding,
    link: evidenceLink(baseUrl, companyId, { ...request, asOf, grain: trace.grain }),
    deliveries_visible: isVisible,
    deliveries: isVisible
      ? await readDetails(contents, companyId, {
          ...request,
          shares,
          received: facts.received,
          adds: getCombination(subject.metric) === 'sum',
        })
      : [],
  }
  const json = toCanonicalText({
    format: 'numera.evidence/1',
    code: evidenceCode(content),
    details_code: evidenceCode(details),
    content,
    details,
  })
  return { json: `${json}\n`, sourceName: source.name }
}

type Traced = Awaited<ReturnType<typeof traceAll>>
type Facts = Awaited<ReturnType<typeof readFacts>>

/** What the trace does not say. */
function readFacts(
  { pool, limit }: EvidenceReports,
  subject: ValuesSubject,
  { trace, shares }: Traced,
  asOf: string,
) {
  const { companyId, sourceId, projectionId } = subject
  const ids = { companyId, sourceId }
  const artifactIds = uuidArray(shares.map((share) => share.artifact_id))
  const period = { firstDay: trace.periodStart, lastDay: trace.periodEnd }
  return limit(companyId, async () => {
    const source = (await selectEvidenceSource.first(pool, { ...ids, projectionId }))!
    const deliveries = await selectEvidenceDeliveries.rows(pool, { companyId, artifactIds })
    const { unparsed } = (await countUnparsed.first(pool, { ...ids, asOf, countMax: unparsedMax }))!
    const replaced =
      subject.delivers === 'events'
        ? []
        : await selectReplacements.rows(pool, {
            ...metricParams(subject),
            ...period,
            asOf,
            deliveriesMax: evidenceDeliveriesMax,
          })
    return {
      source,
      unparsed,
      received: new Map(deliveries.map((row) => [row.artifact_id, row])),
      replaced: new Map(replaced.map((row) => [row.artifact_id, row])),
    }
  })
}

/** What is the same for every role and at every later moment. */
function toContent(
  company: ActorsCompany,
  request: EvidenceRequest & { asOf: string },
  { sourceId, delivers, metric }: ValuesSubject,
  { trace, shares, complete }: Traced,
  { source, unparsed, received, replaced }: Facts,
) {
  const { companyId: company_id, orgnr, timeZone: time_zone } = company
  return {
    company: { company_id, orgnr: formatOrgnr(orgnr), time_zone },
    source_id: sourceId,
    declaration: { delivers, event_time: source.event_time, metric: maskFilters(metric, source.personal) },
    period: { grain: trace.grain, start: trace.periodStart, end: trace.periodEnd },
    labels: sortedFilter(request.filter),
    except: sortedFilter(request.except),
    as_of: request.asOf,
    value: trace.valueThen,
    unit: describeMetric(metric).unit,
    combines: getCombination(metric),
    complete,
    unparsed,
    deliveries: shares.map((share) => ({
      ...shareContent(share),
      ...deliveryContent(received.get(share.artifact_id)!),
      superseded: replaced.get(share.artifact_id)?.superseded ?? false,
      superseded_by: (replaced.get(share.artifact_id)?.superseded_by ?? []).toSorted(byCodePoint),
    })),
  }
}

/** The trace with the deliveries that had been received at the instant, the earliest first. */
async function traceAll(
  reports: EvidenceReports,
  company: ActorsCompany,
  request: ValueTraceRequest & { asOf: string },
) {
  const thenMs = Date.parse(request.asOf)
  const { companyId } = company
  const from = lowestUuidv7(thenMs + disorderMsMax)
  const later = await selectNumberFrom.first(reports.pool, { companyId, from })
  // Those from that delivery on came later.
  let cursor = later && Buffer.from(later.receive_number).toString('base64url')
  const shares: TracedShare[] = []
  for (;;) {
    const page = { ...request, limit: pageMax, ...(cursor !== undefined && { cursor }) }
    const trace = await traceValue(reports, company, page)
    const { items, nextCursor } = trace.deliveries
    shares.push(...items.filter((share) => share.received_at.getTime() <= thenMs))
    if (nextCursor === null || shares.length >= evidenceDeliveriesMax) {
      const complete = nextCursor === null && shares.length <= evidenceDeliveriesMax
      return { trace, complete, shares: shares.slice(0, evidenceDeliveriesMax).toReversed() }
    }
    cursor = nextCursor
  }
}

function shareContent(share: TracedShare) {
  return {
    artifact_id: share.artifact_id,
    received_at: share.received_at,
    covers: share.covers,
    rows: share.rows,
    value: share.value,
    counts: share.counts_then,
    step: share.step,
    running: share.running,
    added: share.added,
    event_at: share.event_at === null ? null : formatEventTime(share.event_at),
  }
}

function deliveryContent(row: EvidenceDeliveryRow) {
  const { connection_id, signature_id, signed_at, provider, record_sha256 } = row
  return {
    channel: row.is_push ? ('push' as const) : ('webhook' as const),
    format: row.format,
    sha256: row.received_sha256.toString('hex'),
    connection_id,
    signature: signature_id && {
      signature_id,
      signed_at: signed_at!,
      signed_with: provider!,
      record_sha256: record_sha256!.toString('hex'),
    },
  }
}

interface DetailsRequest extends ReportValueRequest {
  shares: readonly TracedShare[]
  received: ReadonlyMap<string, EvidenceDeliveryRow>
  /** Whether what rows give adds up. */
  adds: boolean
}

/** Names of each delivery, and the rows of the latest ones. */
async function readDetails(contents: ContentContext, companyId: string, request: DetailsRequest) {
  const { shares, received, adds, ...figure } = request
  const details = []
  for (const [place, { artifact_id }] of shares.entries()) {
    const { connection_name, signed_by } = received.get(artifact_id)!
    const isListed = place >= shares.length - evidenceRowDeliveriesMax
    const rows = isListed ? await readRows(contents, companyId, artifact_id, figure, adds) : null
    details.push({ artifact_id, connection_name, signed_by, rows })
  }
  return details
}

async function readRows(
  contents: ContentContext,
  companyId: string,
  artifactId: string,
  figure: ReportValueRequest,
  adds: boolean,
) {
  const read = await readValueRows(contents, companyId, artifactId, { ...figure, limit: evidenceRowsMax })
  if (read.state !== 'parsed') return null
  const listed = read.rows
  return {
    fields: read.fields,
    listed,
    sha256: canonicalSha256(listed),
    more: read.next_cursor !== null,
    adds: adds && listed.every(({ gave }) => gave !== null),
  }
}

function sortedFilter(filter: LabelFilter): Record<string, string[]> {
  return Object.fromEntries([...filter].map(([name, values]) => [name, values.toSorted(byCodePoint)]))
}

/** The address of the page. Values begin with a point there, since it leaves out empty ones. */
function evidenceLink(
  baseUrl: string,
  companyId: string,
  request: EvidenceRequest & { asOf: string },
): string {
  const { sourceId, metric, grain, periodStart, filter, except, asOf } = request
  const query = new URLSearchParams({ trace: periodStart, grain: grain! })
  for (const [name, values] of filter) for (const value of values) query.append(`label.${name}`, `.${value}`)
  for (const [name, values] of except) for (const value of values) query.append(`not.${name}`, `.${value}`)
  query.append('as_of', asOf)
  const path = `/companies/${companyId}/reports/${sourceId}/${encodeURIComponent(metric)}/evidence`
  return `${baseUrl}${path}?${query}`
}
