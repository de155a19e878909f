import type { Context } from '../../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../../platform/http/pagination.ts'
import { toLoggedDelivery, type LoggedDelivery } from '../logged-delivery.ts'
import { selectLastDeliveries } from './queries.ts'

/**
 * The last test or production delivery of each source of a company, by source: how many of its rows were refused, and how many
 * had a date alone (specification, "Delivery semantics" 6 and 7). Sources without one are left out.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function lastDeliveries(
  context: Pick<Context, 'pool'>,
  companyId: string,
  sandbox: boolean,
  request: PageRequest = {},
): Promise<Page<LoggedDelivery>> {
  const { after, limit } = pageRows(request)
  const rows = await selectLastDeliveries.rows(context.pool, { companyId, sandbox, after, limit: limit + 1 })
  return toPage(rows.map(toLoggedDelivery), limit, (delivery) => delivery.source_id, rows.at(-1)?.more)
}
