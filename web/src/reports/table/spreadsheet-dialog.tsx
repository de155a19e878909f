import { CreateLink, type SpreadsheetReport } from '../../company/create-link.tsx'
import { useCompany } from '../../company/company.ts'
import { useFormat } from '../../company/use-format.ts'
import { useTexts } from '../../language/language.ts'
import { useNames } from '../names.ts'
import { getDefaultRange } from '../range.ts'
import { type Report, type ReportId, toReportRequest } from '../report-queries.ts'
import { getFilters, type ReportSearch } from '../report-search.ts'

/** The whole view of an address as a live spreadsheet carries it; a range of its own stays, a named one follows the calendar. */
function toSheetReport(
  { source_id, metric }: ReportId,
  search: ReportSearch,
  today: string,
  fiscalMonth: number,
): SpreadsheetReport {
  const { query } = toReportRequest({ company_id: '', source_id, metric }, search, today, fiscalMonth)
  const { grain, by, compare, from, to } = query ?? {}
  const where = getFilters(search)
  const days =
    search.from === undefined
      ? { range: search.range ?? getDefaultRange(search.grain) }
      : { from: from!, to: to! }
  return {
    source_id,
    metric,
    ...days,
    ...(grain !== undefined && { grain }),
    ...(by !== undefined && { by }),
    ...(compare !== undefined && { compare }),
    ...(Object.keys(where).length > 0 && { where }),
  }
}

/** Makes a link with which a spreadsheet reads what the report shows now. */
export function SpreadsheetDialog({
  id,
  report,
  search,
  today,
  onClose,
}: {
  id: ReportId
  report: Report
  search: ReportSearch
  today: string
  onClose: () => void
}) {
  const t = useTexts('reports')
  const format = useFormat()
  const { from, to } = search
  const about =
    from === undefined || to === undefined
      ? t('sheetRolls', { range: t(`range.${search.range ?? getDefaultRange(search.grain)}`) })
      : t('sheetFixed', { range: format.dayRange(from, to) })
  const metric = useNames().metric(report.metric, report.name)
  return (
    <CreateLink
      report={toSheetReport(id, search, today, useCompany().fiscal_year_month)}
      suggestedName={t('sheetName', { metric, source: report.source_name })}
      about={<p>{about}</p>}
      onClose={onClose}
    />
  )
}
