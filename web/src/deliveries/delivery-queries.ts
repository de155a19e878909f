import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ApiRequest, type ApiResponse, callApi } from '../api/call-api.ts'
import { companyKey, readAll } from '../company/lists.ts'

const listDeliveries = 'GET /console/companies/{company_id}/deliveries'
const listRefusedCalls = 'GET /console/companies/{company_id}/refused-calls'

export type DeliveryList = ApiResponse<typeof listDeliveries>
export type Delivery = DeliveryList['deliveries'][number]
export type DeliveryInFull = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}'>
export type DeliveryRefusals =
  ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}/refusals'>
export type DeliveryRows = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}/rows'>
type RefusedCallList = ApiResponse<typeof listRefusedCalls>
export type RefusedCall = RefusedCallList['refused_calls'][number]

/** Entries of a list's first page, and of each further one, of which the service gives no more. */
const firstPageSize = 50
export const nextPageSize = 200

function toPage(cursor: string): { limit: string; cursor?: string } {
  return cursor === '' ? { limit: String(firstPageSize) } : { limit: String(nextPageSize), cursor }
}

/** Of every list that changes with each delivery. */
export function liveKey(companyId: string, ...rest: readonly unknown[]): readonly unknown[] {
  return companyKey(companyId, 'live', ...rest)
}

/** Deliveries that pass the filters of an address, newest first. */
export function deliveryListQuery(company_id: string, query: ApiRequest<typeof listDeliveries>['query']) {
  return infiniteQueryOptions({
    queryKey: liveKey(company_id, 'deliveries', query),
    queryFn: ({ pageParam }) =>
      callApi(listDeliveries, { path: { company_id }, query: { ...query, ...toPage(pageParam) } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: DeliveryList) => next_cursor,
    placeholderData: keepPreviousData,
  })
}

/** The last delivery of each source that has one, in production or in test. */
export function lastDeliveriesQuery(company_id: string, kind: 'production' | 'test') {
  const sandbox = kind === 'test' ? 'true' : 'false'
  return queryOptions({
    queryKey: liveKey(company_id, 'last-deliveries', kind),
    queryFn: () =>
      readAll(
        (page) =>
          callApi('GET /console/companies/{company_id}/last-deliveries', {
            path: { company_id },
            query: { ...page, sandbox },
          }),
        ({ deliveries }) => deliveries,
      ),
  })
}

/** Refused calls, newest first. */
export function refusedCallsQuery(company_id: string, query: ApiRequest<typeof listRefusedCalls>['query']) {
  return infiniteQueryOptions({
    queryKey: liveKey(company_id, 'refused-calls', query),
    queryFn: ({ pageParam }) =>
      callApi(listRefusedCalls, { path: { company_id }, query: { ...query, ...toPage(pageParam) } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: RefusedCallList) => next_cursor,
    placeholderData: keepPreviousData,
  })
}

/** One delivery. */
export function deliveryQuery(company_id: string, artifact_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'deliveries', artifact_id),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/deliveries/{artifact_id}', {
        path: { company_id, artifact_id },
      }),
  })
}

/** All rows of a delivery; null until it is parsed. */
export function countRows({ rows_accepted, rows_refused }: DeliveryInFull): number | null {
  return rows_accepted === null ? null : rows_accepted + (rows_refused ?? 0)
}
