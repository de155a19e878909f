import type { ApiRequest } from '../api/call-api.ts'
import { defined } from '../company/defined.ts'
import { addDays } from '../language/format-day.ts'
import { getDays } from '../reports/report-queries.ts'
import { parseReportSearch, type ReportSearch } from '../reports/report-search.ts'
import { type RawSearch, readTexts, stringifySearch } from '../ui/search-params.ts'

/** The query of a combined report's address: its lines, and the choices that it shares with other reports. */
export interface ViewSearch extends Pick<
  ReportSearch,
  'grain' | 'range' | 'from' | 'to' | 'year' | 'as_of' | 'period'
> {
  line?: string[] | undefined
}

export function parseViewSearch(search: RawSearch): ViewSearch {
  const { grain, range, from, to, year, as_of, period } = parseReportSearch(search)
  const line = readTexts(search, 'line')
  return defined<ViewSearch>({
    line: line.length === 0 ? undefined : line,
    grain,
    range,
    from,
    to,
    year,
    as_of,
    period,
  })
}

/** The address as it is saved: all but the period that is read out. */
export function toSaved({ period: _period, ...search }: ViewSearch): string {
  return stringifySearch({ ...search }).slice(1)
}

/** The same view of these days, with the figures as of an instant. */
export function freeze(search: ViewSearch, today: string, fiscalMonth: number, instant: string): ViewSearch {
  const { first, last } = getDays(search as ReportSearch, today, fiscalMonth)
  return { ...search, range: undefined, from: first, to: last, as_of: search.as_of ?? instant }
}

export function toCombinedQuery(
  search: ViewSearch,
  today: string,
  fiscalMonth: number,
): ApiRequest<'GET /console/companies/{company_id}/combined-report'>['query'] {
  const { line, grain, year, as_of } = search
  const { first, last } = getDays(search as ReportSearch, today, fiscalMonth)
  const compare = year === undefined ? ('year' as const) : undefined
  return defined({ line, grain, from: first, to: addDays(last, 1), compare, as_of })
}
