import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { usePages } from '../api/use-pages.ts'

type AppPage = ApiResponse<'GET /console/apps'>

/** An app's access, active or ended. */
export type App = AppPage['apps'][number]

function toKey(memberId: string): readonly string[] {
  return ['apps', memberId]
}

export function useApps(memberId: string) {
  return usePages(toKey(memberId), (query) => callApi('GET /console/apps', { query }))
}

/** Puts a changed app into the cached list. */
export function replaceApp(client: QueryClient, memberId: string, changed: App): void {
  client.setQueryData<InfiniteData<AppPage>>(
    toKey(memberId),
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
