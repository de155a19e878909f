import { queryOptions } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../api/call-api.ts'

// Queries that several pages and the search share.

export type Source = ApiResponse<'GET /console/companies/{company_id}/sources'>['sources'][number]
export type Connection = ApiResponse<'GET /console/companies/{company_id}/connections'>['connections'][number]

/** Entries of a page; the most that the service gives. */
const pageSize = '200'

/** Pages of a list that are read in turn: more than any company may have. */
const listPagesMax = 50

/** Reads all pages of a list. */
export async function readAll<Page extends { next_cursor: string | null }, Item>(
  readPage: (query: { limit: string; cursor?: string }) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < listPagesMax; pages++) {
    const page: Page = await readPage({ limit: pageSize, ...(cursor !== null && { cursor }) })
    items.push(...itemsOf(page))
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return items
}

/** All queries of a company share its id, so that a change can renew all of them. */
export function companyKey(companyId: string, ...rest: readonly unknown[]): readonly unknown[] {
  return ['company', companyId, ...rest]
}

/** The owners of a company. For every role. */
export function ownersQuery(company_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'owners'),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}', { path: { company_id } }).then(({ owners }) => owners),
  })
}

/** Every source of a company, in the order of creation. For every role. */
export function sourcesQuery(company_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'sources'),
    queryFn: () =>
      readAll(
        (query) => callApi('GET /console/companies/{company_id}/sources', { path: { company_id }, query }),
        ({ sources }) => sources,
      ),
  })
}

/** Every connection of a company, newest first. For developers. */
export function connectionsQuery(company_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'connections'),
    queryFn: () =>
      readAll(
        (query) =>
          callApi('GET /console/companies/{company_id}/connections', { path: { company_id }, query }),
        ({ connections }) => connections,
      ),
  })
}

/** The metrics that may be declared, with their names and units. The same for every company. */
export const knownMetricsQuery = queryOptions({
  queryKey: ['known-metrics'],
  queryFn: () => callApi('GET /console/known-metrics', {}).then(({ metrics }) => metrics),
  staleTime: Infinity,
})
