import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { usePages } from '../api/use-pages.ts'
import { companyKey } from '../company/lists.ts'

export type Member = ApiResponse<'GET /console/companies/{company_id}/members'>['members'][number]
export type Invitation = ApiResponse<'GET /console/companies/{company_id}/invitations'>['invitations'][number]

/** The most that the service returns. */
const limit = '200'

export function useMembers(company_id: string) {
  return usePages(companyKey(company_id, 'members'), (cursor) =>
    callApi('GET /console/companies/{company_id}/members', {
      path: { company_id },
      query: { limit, ...cursor },
    }),
  )
}

/** The open invitations. No company has more than one page of them. */
export function invitationsQuery(company_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'invitations'),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/invitations', {
        path: { company_id },
        query: { limit },
      }).then(({ invitations }) => invitations),
  })
}

/** Refetches what a change of the members affects. */
export async function renewMembers(client: QueryClient, company_id: string): Promise<void> {
  const parts = ['members', 'invitations', 'audit', 'owners']
  await Promise.all(parts.map((part) => client.invalidateQueries({ queryKey: companyKey(company_id, part) })))
}
