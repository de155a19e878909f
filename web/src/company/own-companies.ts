import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useMember } from '../session/member.ts'

export type OwnCompany = ApiResponse<'GET /console/companies'>['companies'][number]

/** The member's companies, with how fresh their numbers are. */
export function ownCompaniesQuery(memberId: string) {
  return queryOptions({
    queryKey: ['own-companies', memberId],
    queryFn: () => callApi('GET /console/companies', {}).then(({ companies }) => companies),
  })
}

/** How often the side looks whether a source has become late: no source is so within minutes. */
const lateEveryMs = 300_000

/** How many of a company's sources are late; 0 until it is known, and where the service has not looked. */
export function useLateSources(companyId: string | undefined): number {
  const { member_id } = useMember()
  const { data = [] } = useQuery({ ...ownCompaniesQuery(member_id), refetchInterval: lateEveryMs })
  return data.find(({ company_id }) => company_id === companyId)?.late_sources ?? 0
}
