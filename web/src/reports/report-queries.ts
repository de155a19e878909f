import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type ApiRequest, type ApiResponse, callApi, renewFromApi, type Tagged } from '../api/call-api.ts'
import { defined } from '../company/defined.ts'
import type { FigureQuery } from '../company/figure-address.ts'
import { companyKey } from '../company/lists.ts'
import { renewedEveryMs } from '../company/report-list.ts'
import { addDays } from '../language/format-day.ts'
import { getDefaultRange, type Range, toRange } from './range.ts'
import { getFilters, otherSeries, type ReportSearch, toSeriesKey } from './report-search.ts'

const readReport = 'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}'
const traceReport = 'GET /console/companies/{company_id}/sources/{source_id}/samples/trace'

export type Report = ApiResponse<typeof readReport>
export type ReportPeriod = Report['periods'][number]
export type Trace = ApiResponse<typeof traceReport>
export type TracedDelivery = Trace['deliveries'][number]
/** Which report. */
export type ReportId = ApiRequest<typeof readReport>['path']

/** The days of an address. */
export function getDays({ range, from, to, grain }: ReportSearch, today: string): Range {
  if (from !== undefined && to !== undefined) return { first: from, last: to }
  return toRange(range ?? getDefaultRange(grain), today)
}

/** The members of a query that name labels, which its type cannot express. */
function prefix(name: 'where' | 'label', labels: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(labels).map(([label, values]) => [`${name}.${label}`, values]))
}

export function toReportRequest(
  path: ReportId,
  search: ReportSearch,
  today: string,
): ApiRequest<typeof readReport> {
  const { grain, by, year, as_of } = search
  const { first, last } = getDays(search, today)
  const compare = year === undefined ? 'year' : undefined
  const query = { grain, from: first, to: addDays(last, 1), by, compare, as_of } as const
  return { path, query: { ...defined(query), ...prefix('where', getFilters(search)) } }
}

/** The report of an address. For every role. */
export function reportQuery(id: ReportId, search: ReportSearch, today: string) {
  const request = toReportRequest(id, search, today)
  const queryKey = companyKey(id.company_id, 'report', id.source_id, id.metric, request.query)
  return queryOptions({
    queryKey,
    queryFn: ({ client }) => renewFromApi(readReport, request, client.getQueryData<Tagged<Report>>(queryKey)),
    refetchInterval: renewedEveryMs,
  })
}

/** The figure whose trace is open in an address. */
export function toTracedFigure(report: Report, search: ReportSearch): FigureQuery {
  const { trace = '', of } = search
  const { by, series, grain, metric } = report
  const labels = getFilters(search)
  if (of !== undefined && by !== null && of !== otherSeries) labels[by] = [toSeriesKey(of)]
  // All others together are those without a series of their own.
  const excluded = of === otherSeries ? series.flatMap(({ key }) => key ?? []) : []
  return {
    metric,
    period_start: trace,
    grain,
    ...prefix('label', labels),
    ...(excluded.length > 0 && { [`not.${by}`]: excluded }),
  }
}

/** The deliveries behind one figure of a report, the latest first. For every role. */
export function traceQuery({ company_id, source_id }: ReportId, report: Report, search: ReportSearch) {
  const query = { ...toTracedFigure(report, search), ...defined({ as_of: search.as_of }) }
  return infiniteQueryOptions({
    queryKey: companyKey(company_id, 'trace', source_id, query),
    queryFn: ({ pageParam: cursor }) =>
      callApi(traceReport, {
        path: { company_id, source_id },
        query: { ...query, ...(cursor !== '' && { cursor }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: Trace) => next_cursor,
  })
}
