import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type ApiRequest, type ApiResponse, callApi, renewFromApi, type Tagged } from '../api/call-api.ts'
import { companyKey } from '../company/lists.ts'
import { renewedEveryMs } from '../company/report-list.ts'
import { addDays } from '../language/format-day.ts'
import { firstRange, type Range, rangeOf } from './range.ts'
import { filtersOf, keyOfSeries, otherSeries, type ReportSearch } from './report-search.ts'

const readReport = 'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}'
const traceReport = 'GET /console/companies/{company_id}/sources/{source_id}/samples/trace'

export type Report = ApiResponse<typeof readReport>
export type ReportPeriod = Report['periods'][number]
export type Trace = ApiResponse<typeof traceReport>
export type TracedDelivery = Trace['deliveries'][number]

/** Which report. */
export interface ReportId {
  company_id: string
  source_id: string
  metric: string
}

/** The days that an address asks for. */
export function daysOf({ range, from, to, grain }: ReportSearch, today: string): Range {
  return from !== undefined && to !== undefined
    ? { first: from, last: to }
    : rangeOf(range ?? firstRange(grain), today)
}

/** What the service is asked for an address; `where.<label>` is of its query though the types cannot say so. */
export function reportRequest(
  { company_id, source_id, metric }: ReportId,
  search: ReportSearch,
  today: string,
): ApiRequest<typeof readReport> {
  const { grain, by, year, as_of } = search
  const { first, last } = daysOf(search, today)
  const filters = Object.entries(filtersOf(search)).map(([label, values]) => [`where.${label}`, values])
  return {
    path: { company_id, source_id, metric },
    query: {
      ...(grain !== undefined && { grain }),
      from: first,
      to: addDays(last, 1),
      ...(by !== undefined && { by }),
      ...(year === undefined && { compare: 'year' as const }),
      ...(as_of !== undefined && { as_of }),
      ...Object.fromEntries(filters),
    },
  }
}

/** The report of an address. For every role. */
export function reportQuery(id: ReportId, search: ReportSearch, today: string) {
  const request = reportRequest(id, search, today)
  const queryKey = companyKey(id.company_id, 'report', id.source_id, id.metric, request.query)
  return queryOptions({
    queryKey,
    queryFn: ({ client }) => renewFromApi(readReport, request, client.getQueryData<Tagged<Report>>(queryKey)),
    refetchInterval: renewedEveryMs,
  })
}

/** The deliveries behind one value of a report, the latest first, a page at a time. For every role. */
export function traceQuery(
  { company_id, source_id, metric }: ReportId,
  report: Report,
  search: ReportSearch,
) {
  const { trace = '', of, as_of } = search
  const { by, series, grain } = report
  const labels = filtersOf(search)
  const isOfOther = of === otherSeries
  if (of !== undefined && by !== null && !isOfOther) labels[by] = [keyOfSeries(of)]
  // All others together are those that are no series.
  const leftOut = isOfOther ? series.flatMap(({ key }) => key ?? []) : []
  const query = {
    metric,
    period_start: trace,
    grain,
    ...(as_of !== undefined && { as_of }),
    ...Object.fromEntries(Object.entries(labels).map(([label, values]) => [`label.${label}`, values])),
    ...(leftOut.length > 0 && { [`not.${by}`]: leftOut }),
  }
  return infiniteQueryOptions({
    queryKey: companyKey(company_id, 'trace', source_id, query),
    queryFn: ({ pageParam }) =>
      callApi(traceReport, {
        path: { company_id, source_id },
        query: { ...query, ...(pageParam !== null && { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}
