import { uuidArray } from '../../platform/database/binary-array.ts'
import type { Company } from '../../people/companies/company.ts'
import { toFreshness, type Freshness } from '../../people/companies/freshness.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import type { Context } from '../../context.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import type { AnswerCache } from '../../platform/reads/answer-cache.ts'
import { toRenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import type { Basis, ReadOnBasis } from '../../platform/reads/read-on-basis.ts'
import type { ShareLimiter } from '../../platform/database/share-limiter.ts'
import { samplesVersionBasis } from '../../engine/samples/basis.ts'
import { toPausedBy, type MemberName } from '../../company/sources/source.ts'
import { selectFreshnessOfSources, selectReportSources, type ReportSourceRow } from './queries.ts'
import { readMetricCard, type MetricCard } from './report-card.ts'

/** Sources of one page of reports; a larger `limit` is 400. */
const reportSourcesMax = 100

/** Sources of one list whose reports are read concurrently, so that a list leaves capacity to other reads. */
export const sourcesReadAtOnceMax = 4

/** What reading reports needs. */
export type ReportContext = Pick<Context, 'pool' | 'readPool' | 'clock'> & {
  /** What is read of the present, on the primary, waits for its turn. */
  limit: ShareLimiter
  /** What is read at a version of the samples, unless it is cached. */
  read: ReadOnBasis
  cache: AnswerCache
}

/** A source's metrics at a glance, and whether it delivers as usual. */
export interface SourceReports {
  sourceId: string
  name: string
  pausedAt: Date | null
  /** Null while it is active, and if the operator paused it. */
  pausedBy: MemberName | null
  freshness: Freshness
  cards: MetricCard[]
}

/**
 * The reports of a company, source by source. Cards are cached until the version of the samples or the company's day
 * changes; delivery times are looked up on every call.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listReports(
  context: ReportContext,
  company: Pick<Company, 'companyId' | 'timeZone'>,
  request: PageRequest,
): Promise<Page<SourceReports>> {
  const { readPool, clock, limit: inTurn } = context
  const { companyId } = company
  const { after, limit } = pageRows(request)
  if (limit > reportSourcesMax) {
    throw invalidArgument(`It must be a whole number from 1 to ${reportSourcesMax}.`, 'limit')
  }
  const today = companyDay(company.timeZone, clock.now())
  const at = new Date(clock.now())
  const [rows, freshnessRows] = await inTurn(companyId, async () => {
    const found = await selectReportSources.rows(readPool, { companyId, after, limit: limit + 1 })
    const sourceIds = uuidArray(found.map((row) => row.source_id))
    return [found, await selectFreshnessOfSources.rows(readPool, { companyId, sourceIds, at })] as const
  })
  const freshness = new Map(freshnessRows.map((row) => [row.source_id, toFreshness(row)]))
  const page = toPage(rows, limit, (row) => row.source_id)
  const readSource = async (row: ReportSourceRow): Promise<SourceReports> => ({
    sourceId: row.source_id,
    name: row.name,
    pausedAt: row.paused_at,
    pausedBy: toPausedBy(row),
    freshness: freshness.get(row.source_id)!,
    cards: await readCards(context, company, row, today),
  })
  const items: SourceReports[] = []
  for (let from = 0; from < page.items.length; from += sourcesReadAtOnceMax) {
    const some = page.items.slice(from, from + sourcesReadAtOnceMax)
    items.push(...(await Promise.all(some.map(readSource))))
  }
  return { ...page, items }
}

/** What reports of a source follow from. */
export function toBasis(companyId: string, source: ReportSourceRow): Basis {
  const { source_id: sourceId, projection_id: projectionId, samples_version: samplesVersion } = source
  return samplesVersionBasis({ companyId, sourceId, projectionId, samplesVersion })
}

async function readCards(
  { read, cache }: ReportContext,
  { companyId, timeZone }: Pick<Company, 'companyId' | 'timeZone'>,
  source: ReportSourceRow,
  today: number,
): Promise<MetricCard[]> {
  const { source_id: sourceId, projection_id: projectionId, delivers } = source
  const { bytes } = await cache.get(
    `cards ${sourceId} ${projectionId} ${today}`,
    source.samples_version,
    async () => {
      const cards: MetricCard[] = []
      const request = { companyId, basis: toBasis(companyId, source), isSnapshot: true }
      for (const metric of source.metrics) {
        const subject = { companyId, sourceId, projectionId, delivers, metric }
        cards.push(await read(request, (on) => readMetricCard(on, subject, { today, timeZone })))
      }
      return toRenderedAnswer(JSON.stringify(cards))
    },
  )
  return JSON.parse(bytes.toString())
}
