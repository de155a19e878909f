import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ApiRequest, type ApiResponse, callApi } from '../api/call-api.ts'
import { companyKey, lastDeliveriesQuery, listPagesMax } from '../company/lists.ts'

export type Delivery = ApiResponse<'GET /console/companies/{company_id}/deliveries'>['deliveries'][number]
export type DeliveryList = ApiResponse<'GET /console/companies/{company_id}/deliveries'>
export type DeliveryInFull = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}'>
export type DeliveryRows = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}/rows'>
export type RefusedCall =
  ApiResponse<'GET /console/companies/{company_id}/refused-calls'>['refused_calls'][number]

/** Of the first page of a list, and of each further one; the latter is the most that the service gives. */
export const firstPageSize = 50
export const nextPageSize = 200

function pageOf(cursor: string): { limit: string; cursor?: string } {
  return cursor === '' ? { limit: String(firstPageSize) } : { limit: String(nextPageSize), cursor }
}

/** What the keys of all lists that change with each delivery begin with. */
export function changingKeys(companyId: string): readonly (readonly unknown[])[] {
  return [
    companyKey(companyId, 'delivery-list'),
    companyKey(companyId, 'last-deliveries'),
    companyKey(companyId, 'refused-calls'),
  ]
}

/** Deliveries that pass the filters of an address, newest first. */
export function deliveryListQuery(
  company_id: string,
  query: ApiRequest<'GET /console/companies/{company_id}/deliveries'>['query'],
) {
  return infiniteQueryOptions({
    queryKey: companyKey(company_id, 'delivery-list', query),
    queryFn: ({ pageParam }) =>
      callApi('GET /console/companies/{company_id}/deliveries', {
        path: { company_id },
        query: { ...query, ...pageOf(pageParam) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: DeliveryList) => next_cursor,
    placeholderData: keepPreviousData,
  })
}

/** The last test delivery of each source that has one. */
function lastTestsQuery(company_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'last-deliveries', 'test'),
    queryFn: async () => {
      const deliveries: Delivery[] = []
      let cursor: string | null = null
      for (let pages = 0; pages < listPagesMax; pages++) {
        const page: ApiResponse<'GET /console/companies/{company_id}/last-deliveries'> = await callApi(
          'GET /console/companies/{company_id}/last-deliveries',
          {
            path: { company_id },
            query: { sandbox: 'true', limit: String(nextPageSize), ...(cursor !== null && { cursor }) },
          },
        )
        deliveries.push(...page.deliveries)
        cursor = page.next_cursor
        if (cursor === null) break
      }
      return deliveries
    },
  })
}

/** The last delivery of each source, production and test. */
export function lastOfEachQueries(company_id: string) {
  return [lastDeliveriesQuery(company_id), lastTestsQuery(company_id)] as const
}

/** Refused calls, newest first. */
export function refusedCallsQuery(
  company_id: string,
  query: ApiRequest<'GET /console/companies/{company_id}/refused-calls'>['query'],
) {
  return infiniteQueryOptions({
    queryKey: companyKey(company_id, 'refused-calls', query),
    queryFn: ({ pageParam }) =>
      callApi('GET /console/companies/{company_id}/refused-calls', {
        path: { company_id },
        query: { ...query, ...pageOf(pageParam) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
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
