import { type InfiniteData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'

/** What a member allows one app, or did. */
export type App = ApiResponse<'GET /console/apps'>['apps'][number]

/** Each member's list is cached apart. */
function appsKey(memberId: string): readonly string[] {
  return ['apps', memberId]
}

/** The member's apps, a page at a time. */
export function useApps(memberId: string) {
  return useInfiniteQuery({
    queryKey: appsKey(memberId),
    queryFn: ({ pageParam: cursor }) =>
      callApi('GET /console/apps', { query: cursor === '' ? {} : { cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** Shows a changed app in its place of the list. */
export function replaceApp(client: QueryClient, memberId: string, changed: App): void {
  client.setQueryData<InfiniteData<ApiResponse<'GET /console/apps'>>>(
    appsKey(memberId),
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({
          ...page,
          apps: page.apps.map((app) => (app.connection_id === changed.connection_id ? changed : app)),
        })),
      },
  )
}
