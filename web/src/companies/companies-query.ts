import { queryOptions } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'

export type OwnCompany = ApiResponse<'GET /console/companies'>['companies'][number]

/** The member's companies, with how fresh their numbers are. */
export function ownCompaniesQuery(memberId: string) {
  return queryOptions({
    queryKey: ['own-companies', memberId],
    queryFn: () => callApi('GET /console/companies', {}).then(({ companies }) => companies),
  })
}
