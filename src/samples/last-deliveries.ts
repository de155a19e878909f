import type { Context } from '../context.ts'
import { toDeliveryReport, type DeliveryReport } from './delivery-report.ts'
import { readLastDeliveries } from './queries.ts'

/**
 * The last test or production delivery of each source of a company, by source: how many of its rows were refused, and how
 * many were read from a date alone (specification, "Delivery semantics" 6 and 7). Sources without one are left out.
 */
export const lastDeliveries = async (
  context: Pick<Context, 'pool'>,
  companyId: string,
  sandbox: boolean,
): Promise<Map<string, DeliveryReport>> => {
  const rows = await readLastDeliveries.rows(context.pool, [companyId, sandbox])
  return new Map(rows.map((row) => [row.source_id, toDeliveryReport(row)]))
}
