/** Pages of other parts that this one leads to: their addresses, and what the queries of these say. */

export const newConnectionPage: string = '/companies/$companyId/connections/new'
export const reportPage: string = '/companies/$companyId/reports/$sourceId/$metric'

/** The query of the company's deliveries, filtered. */
export function deliveriesOf(filter: { source?: string; kind?: 'test'; tab?: 'calls' }): object {
  return filter
}
