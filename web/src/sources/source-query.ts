import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { companyKey } from '../company/lists.ts'

/** How often a rebuild's progress is polled. */
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
