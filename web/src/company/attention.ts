import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ApiResponse, renewFromApi, type Tagged } from '../api/call-api.ts'
import { companyKey } from './lists.ts'

const listAttention = 'GET /console/companies/{company_id}/attention'

export type Attention = ApiResponse<typeof listAttention>
export type AttentionItem = Attention['items'][number]

/** How often it is renewed; the service sends only what has changed. */
const renewedEveryMs = 60_000

/** What needs attention in a company, for the page and the count at its link. For every role. */
export function attentionQuery(company_id: string) {
  const queryKey = companyKey(company_id, 'attention')
  return queryOptions({
    queryKey,
    queryFn: ({ client }) =>
      renewFromApi(listAttention, { path: { company_id } }, client.getQueryData<Tagged<Attention>>(queryKey)),
    refetchInterval: renewedEveryMs,
    staleTime: renewedEveryMs / 2,
  })
}

/** How many items are open; 0 while that is unknown. */
export function useOpenItems(companyId: string | undefined): number {
  const { data } = useQuery({ ...attentionQuery(companyId ?? ''), enabled: companyId !== undefined })
  return data?.answer.items.filter(({ done }) => done === null).length ?? 0
}
