import type { Context } from '../service/context.ts'
import { numberRows, pageOf, type Page, type PageRequest } from '../http/pagination.ts'
import { toDeliveryReport, type DeliveryReport } from './delivery-report.ts'
import { readDeliveries } from './queries.ts'

/**
 * A source's test or production deliveries with their states, the latest first, for the developer page.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listDeliveries(
  context: Pick<Context, 'pool'>,
  companyId: string,
  sourceId: string,
  sandbox: boolean,
  request: PageRequest = {},
): Promise<Page<DeliveryReport>> {
  const { before, limit } = numberRows(request)
  const rows = await readDeliveries.rows(context.pool, {
    companyId,
    sourceId,
    sandbox,
    before,
    limit: limit + 1,
  })
  const page = pageOf(rows, limit, (row) => row.receive_number, rows.at(-1)?.more)
  return { ...page, items: page.items.map(toDeliveryReport) }
}
