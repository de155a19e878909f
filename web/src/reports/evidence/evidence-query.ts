import { queryOptions } from '@tanstack/react-query'
import { type ApiRequest, type ApiResponse, callApi } from '../../api/call-api.ts'
import { defined } from '../../company/defined.ts'
import { companyKey } from '../../company/lists.ts'
import type { ReportId } from '../report-queries.ts'
import { type EvidenceSearch, toLabelQuery } from './evidence-search.ts'

const readEvidence = 'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/evidence'

export type Evidence = ApiResponse<typeof readEvidence>
export type ProvenDelivery = Evidence['content']['deliveries'][number]
export type DetailedDelivery = Evidence['details']['deliveries'][number]

export function toEvidenceRequest(path: ReportId, search: EvidenceSearch): ApiRequest<typeof readEvidence> {
  const { trace = '', grain, as_of } = search
  return { path, query: { period_start: trace, ...defined({ grain, as_of }), ...toLabelQuery(search) } }
}

/** The evidence of a figure. For every role. */
export function evidenceQuery(id: ReportId, search: EvidenceSearch) {
  const request = toEvidenceRequest(id, search)
  return queryOptions({
    queryKey: companyKey(id.company_id, 'evidence', id.source_id, id.metric, request.query),
    queryFn: () => callApi(readEvidence, request),
    enabled: search.trace !== undefined,
    // It is of one instant.
    staleTime: Infinity,
  })
}
