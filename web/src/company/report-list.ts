import { infiniteQueryOptions, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ApiResponse, renewFromApi, type Tagged } from '../api/call-api.ts'
import { companyKey } from './lists.ts'
import { reportsPerPage } from './reports-per-page.ts'

const listReports = 'GET /console/companies/{company_id}/reports'

type ReportList = ApiResponse<typeof listReports>
export type ReportCard = ReportList['reports'][number]

/** How often visible figures are renewed; the service sends only what has changed. */
export const renewedEveryMs = 30_000
/** While there are none, since the company may be waiting for its first. */
const awaitedEveryMs = 2_000

/** Every report of a company. For every role. The browser preloads the first page (`page-table.ts`). */
export function reportsQuery(company_id: string) {
  const queryKey = companyKey(company_id, 'reports')
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, client }) => {
      const known = client.getQueryData<{ pages: Tagged<ReportList>[]; pageParams: (string | null)[] }>(
        queryKey,
      )
      return renewFromApi(
        listReports,
        {
          path: { company_id },
          query: { limit: reportsPerPage, ...(pageParam !== null && { cursor: pageParam }) },
        },
        known?.pages[known.pageParams.indexOf(pageParam)],
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ answer }) => answer.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.answer.reports.length === 0 ? awaitedEveryMs : renewedEveryMs,
  })
}

/** Reads the reports where the address shows them, while their page's script is being loaded. */
export function prefetchReports(client: QueryClient, pathname: string): void {
  const companyId = /^\/companies\/([^/]+)\/reports\/?$/.exec(pathname)?.[1]
  if (companyId !== undefined) void client.prefetchInfiniteQuery(reportsQuery(companyId))
}

/** Every report of a company, page after page; `cards` are those loaded so far. */
export function useReports(company_id: string, enabled = true) {
  const list = useInfiniteQuery({ ...reportsQuery(company_id), enabled })
  const { hasNextPage, isFetching, isError, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  return {
    cards: list.data?.pages.flatMap(({ answer }) => answer.reports),
    error: list.error,
    refetch: list.refetch,
  }
}
