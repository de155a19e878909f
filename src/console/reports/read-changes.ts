import type { Company } from '../../people/companies/company.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { readWindow } from '../../platform/reads/read-window.ts'
import { uuidArray } from '../../platform/database/binary-array.ts'
import { formatDay } from '../../formats/values/period.ts'
import { checkLabels } from '../values/report-value.ts'
import { toBasis, type ReportContext } from './list-reports.ts'
import { selectFreshnessOfSources } from './queries.ts'
import { findReportSource, toDayNumber, toSubject, type ReportRequest } from './read-report.ts'
import { checkGrain, getCombination, openLabels } from './report-metric.ts'
import { periodsFrom } from './report-periods.ts'
import { countPeriodsCut, readValues, vintageCellsMax } from './read-values.ts'

export interface ChangedPeriod {
  start: string
  /** As known then. */
  was: string | null
  value: string | null
}

/**
 * The periods of a report that had ended by an instant and have another total now. None where labels do not combine, or nothing
 * has been delivered since.
 *
 * @param since null: of nothing
 * @throws as `readReport`
 */
export async function readChanges(
  context: ReportContext,
  { companyId, timeZone }: Pick<Company, 'companyId' | 'timeZone'>,
  request: Pick<ReportRequest, 'sourceId' | 'metric' | 'grain' | 'from' | 'to' | 'filter'>,
  since: Date | null,
): Promise<ChangedPeriod[]> {
  const { readPool, clock, limit, read } = context
  const source = await findReportSource(context, companyId, request.sourceId)
  const subject = toSubject(companyId, source, request.metric)
  const grain = checkGrain(subject.metric, request.grain)
  const { filter } = request
  checkLabels(subject.metric, filter, 'where.')
  const nowMs = clock.now()
  const { from, to } = readWindow(request.from, request.to, companyDay(timeZone, nowMs))
  const hasTotal = getCombination(subject.metric) !== null || openLabels(subject.metric, filter).length === 0
  if (since === null || !hasTotal) return []
  const sourceIds = uuidArray([request.sourceId])
  const freshness = await limit(companyId, () =>
    selectFreshnessOfSources.first(readPool, { companyId, sourceIds, at: new Date(nowMs) }),
  )
  const receivedAt = freshness?.last_received_at ?? null
  if (receivedAt === null || receivedAt <= since) return []
  const sinceDay = companyDay(timeZone, since.getTime())
  const ended = periodsFrom(grain, toDayNumber(from), toDayNumber(to) - 1).filter(
    ({ last }) => last < sinceDay,
  )
  const basis = toBasis(companyId, source)
  return read({ companyId, basis, isSnapshot: true }, async (on) => {
    const periods = ended.slice(await countPeriodsCut(on, subject, ended, vintageCellsMax))
    const values = { ...subject, filter, periods }
    const now = JSON.parse((await readValues(on, values)).totals)
    const then = JSON.parse((await readValues(on, { ...values, asOf: since.toISOString() })).totals)
    return periods.flatMap(({ first }, place) =>
      now[place] === then[place] ? [] : [{ start: formatDay(first), was: then[place], value: now[place] }],
    )
  })
}
