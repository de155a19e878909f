import { infiniteQueryOptions, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ApiResponse, renewFromApi, type Tagged } from '../api/call-api.ts'
import { companyKey } from './lists.ts'

const listReports = 'GET /console/companies/{company_id}/reports'

type ReportList = ApiResponse<typeof listReports>
export type ReportCard = ReportList['reports'][number]

/**
 * Sources of one page of the list; the most that the service gives. The service tells the browser of the first page before
 * any script asks for it (src/http/page-links.ts).
 */
const sourcesPerPage = '100'

/** How often figures are renewed while they are looked at; what has not changed is not sent again. */
export const renewedEveryMs = 30_000
/** While there are none: whoever connects a system waits for the first. */
const awaitedEveryMs = 2_000

/** Every report of a company, a hundred sources at a time. For every role. */
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
          query: { limit: sourcesPerPage, ...(pageParam !== null && { cursor: pageParam }) },
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

/**
 * Begins to ask for the reports where an address shows them, while their page is still being loaded: by then the browser
 * has the answer, since the service told it to ask (`src/http/page-links.ts`).
 */
export function prefetchReports(client: QueryClient, pathname: string): void {
  const companyId = /^\/companies\/([^/]+)\/reports\/?$/.exec(pathname)?.[1]
  if (companyId !== undefined) void client.prefetchInfiniteQuery(reportsQuery(companyId))
}

/** The reports that are loaded, and what {@link Loaded} needs of their query. */
export interface Reports {
  cards: ReportCard[] | undefined
  error: Error | null
  refetch: () => unknown
}

/**
 * Every report of a company, the first hundred sources at once and the rest behind it.
 *
 * @param enabled false: nothing is asked for
 */
export function useReports(company_id: string, enabled = true): Reports {
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
