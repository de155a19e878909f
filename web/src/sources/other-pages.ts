/** Pages of other parts that this one leads to: their addresses, and what their names and queries say. */

export const newConnectionPage: string = '/companies/$companyId/connections/new'
export const reportPage: string = '/companies/$companyId/reports/$sourceId/$metric'

/** What a new connection begins with; `kind` is what the source gets so far. */
export function connectionFor(start: { source: string; kind: 'sandbox' | 'production' }): object {
  return start
}

/** Which report. */
export function reportOf(names: { companyId: string; sourceId: string; metric: string }): object {
  return names
}

/** The company's deliveries, filtered, or the refused calls. */
export function deliveriesOf(filter: { source?: string; kind?: 'test'; tab?: 'calls' }): object {
  return filter
}
