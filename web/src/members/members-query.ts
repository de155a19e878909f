import { type QueryClient, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { companyKey } from '../company/lists.ts'

export type Member = ApiResponse<'GET /console/companies/{company_id}/members'>['members'][number]
export type Invitation = ApiResponse<'GET /console/companies/{company_id}/invitations'>['invitations'][number]

/** The most that the service gives at once. */
const pageSize = '200'

/** The members of a company, a page at a time. */
export function useMembers(company_id: string) {
  return useInfiniteQuery({
    queryKey: companyKey(company_id, 'members'),
    queryFn: ({ pageParam: cursor }) =>
      callApi('GET /console/companies/{company_id}/members', {
        path: { company_id },
        query: { limit: pageSize, ...(cursor !== '' && { cursor }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** The links that may still be used: no company has more than one page of them. */
export function invitationsQuery(company_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'invitations'),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/invitations', {
        path: { company_id },
        query: { limit: pageSize },
      }).then(({ invitations }) => invitations),
  })
}

/** After a change: who the members are, what invites, and what was done. Settles when it is shown. */
export async function renewMembers(client: QueryClient, company_id: string): Promise<void> {
  const parts = ['members', 'invitations', 'audit', 'owners']
  await Promise.all(parts.map((part) => client.invalidateQueries({ queryKey: companyKey(company_id, part) })))
}
