import type { SpreadsheetReport } from '../../company/links/link.ts'
import { linkHeaders, type OpenedLink } from '../../company/links/open-link.ts'
import { createForEachShard, type Context, type DirectoryContext } from '../../context.ts'
import { formatDay } from '../../formats/values/period.ts'
import { toRange } from '../../formats/values/rolling-range.ts'
import type { App } from '../../platform/http/contract.ts'
import { ApiError, notFound } from '../../platform/http/errors/errors.ts'
import { createAnswerCache } from '../../platform/reads/answer-cache.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import type { ReportContext } from './list-reports.ts'
import { readReport, toDayNumber } from './read-report.ts'
import { writeCsv, type FileReport } from './write-csv.ts'

/** Rendered reports of live spreadsheets that one process caches, in bytes. */
const sheetCacheBytesMax = 8_388_608

/** As a report's parameters: `to` is the day after the last. */
function toDays(
  { range, from, to }: SpreadsheetReport,
  today: number,
  fiscalMonth: number,
): { from?: string | undefined; to?: string | undefined } {
  if (range === undefined) return { from, to }
  const { first, last } = toRange(range, today, fiscalMonth)
  return { from: first, to: formatDay(toDayNumber(last) + 1) }
}

async function readSheet(reports: ReportContext, { company, report }: OpenedLink): Promise<FileReport> {
  const { source_id: sourceId, metric, grain, by, where = {}, compare } = report!
  const today = companyDay(company.timeZone, reports.clock.now())
  try {
    const { bytes } = await readReport(reports, company, {
      sourceId,
      metric,
      grain,
      ...toDays(report!, today, company.fiscalYearMonth),
      by,
      filter: new Map(Object.entries(where)),
      yearBefore: compare === 'year',
    })
    return JSON.parse(bytes.toString())
  } catch (error) {
    // What it shows may be gone, such as a label. A link says nothing of it.
    if (error instanceof ApiError && error.status < 429) throw notFound()
    throw error
  }
}

/** Reports that spreadsheets read live by a read-only link. Not part of the API documents. */
export async function registerSpreadsheetRoute(app: App, context: DirectoryContext): Promise<void> {
  const { reads } = app
  const cache = createAnswerCache(sheetCacheBytesMax)
  const toReports = createForEachShard((at: Context): ReportContext => {
    const { pool, readPool, clock } = at
    return { pool, readPool, clock, limit: reads.limitOn(readPool), read: reads.onBasis(at), cache }
  })
  app.get<{ Params: { file: string } }>('/sheets/:file', async ({ params }, reply) => {
    const link = await app.openLink('sheet', params.file)
    const { companyId } = link.company
    const report = await readSheet(toReports(await context.shards.ofCompany(companyId)), link)
    const readAt = new Date(context.clock.now()).toISOString()
    const file = Buffer.from(writeCsv(report, link.language, readAt))
    reads.reserve(reply.raw, companyId, file)
    return reply.headers(linkHeaders).type('text/csv; charset=utf-8').send(file)
  })
}
