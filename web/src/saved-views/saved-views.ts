import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApiRequest, type ApiResponse, callApi, renewFromApi, type Tagged } from '../api/call-api.ts'
import { type Company, may } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { renewedEveryMs } from '../company/report-list.ts'

export type SavedView = ApiResponse<'GET /console/companies/{company_id}/views'>['views'][number]

/** The company's views and the member's own, in their order. For every role. */
function savedViewsQuery(company_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'views'),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/views', { path: { company_id } }).then(
        ({ views }) => views,
      ),
  })
}

export function useSavedViews(company_id: string, enabled = true) {
  return useQuery({ ...savedViewsQuery(company_id), enabled })
}

/** Reads the views again, after a change. */
export function useRenewViews(company_id: string): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: savedViewsQuery(company_id).queryKey })
}

/** Whether the member may change a view. The service decides. */
export function mayChange({ role }: Company, view: SavedView): boolean {
  return view.for === 'member' || may(role, 'developer')
}

const readCombined = 'GET /console/companies/{company_id}/combined-report'

export type CombinedReport = ApiResponse<typeof readCombined>
export type CombinedLine = CombinedReport['lines'][number]
export type CombinedFigure = CombinedLine['values'][number]

/** Several metrics in one report. For every role. */
export function combinedQuery(company_id: string, query: ApiRequest<typeof readCombined>['query']) {
  const queryKey = companyKey(company_id, 'combined', query)
  return queryOptions({
    queryKey,
    queryFn: ({ client }) =>
      renewFromApi(
        readCombined,
        { path: { company_id }, query },
        client.getQueryData<Tagged<CombinedReport>>(queryKey),
      ),
    refetchInterval: renewedEveryMs,
  })
}

/** The unit of a line: of a quotient by a number of things, that of one of them. */
export function toLineUnit({ unit, denominator_unit }: CombinedLine): string {
  if (denominator_unit === null || denominator_unit === 'count') return unit
  return unit === denominator_unit ? '' : `${unit}/${denominator_unit}`
}
