import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useMember } from '../session/member.ts'

export type OwnCompany = ApiResponse<'GET /console/companies'>['companies'][number]

/** The member's companies, with the freshness of their figures. */
export function ownCompaniesQuery(memberId: string) {
  return queryOptions({
    queryKey: ['own-companies', memberId],
    queryFn: () => callApi('GET /console/companies', {}).then(({ companies }) => companies),
  })
}

/** How often the side menu checks for late sources. */
const lateEveryMs = 300_000

/** How many of a company's sources are late; 0 while that is unknown. */
export function useLateSources(companyId: string | undefined): number {
  const { member_id } = useMember()
  const { data = [] } = useQuery({ ...ownCompaniesQuery(member_id), refetchInterval: lateEveryMs })
  return data.find(({ company_id }) => company_id === companyId)?.late_sources ?? 0
}
