import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { companyKey } from '../company/lists.ts'
import type { SavedSource } from './draft.ts'

export type ShownSource = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}'>
export type Activity = ShownSource['activity']

/** While it is rebuilt, how far that is. */
const rebuildPollMs = 2_000

/** One source with its newest versions. */
export function sourceQuery(company_id: string, source_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'sources', source_id),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/sources/{source_id}', {
        path: { company_id, source_id },
        query: {},
      }),
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data?.activity.rebuild == null ? false : rebuildPollMs),
  })
}

/** A page of versions, newest first. */
export const versionsPageSize = '50'

/** Everything that a change of a source changes: itself, the lists, and what is read of it. */
export function renewSources(client: QueryClient, companyId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: companyKey(companyId) })
}

/** What somebody else saved meanwhile, as the details of a refusal say it. */
export function savedMeanwhile(details: unknown): SavedSource | undefined {
  const { source, version } = (details ?? {}) as Partial<SavedSource>
  return source === undefined || version === undefined ? undefined : { source, version }
}
