import type { Context } from '../../context.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { toLoggedDeliveryInFull } from './logged-delivery.ts'
import { selectDelivery } from './queries.ts'

/** One delivery of a company with everything that the developer page shows of it. @throws 404 */
export async function showDeliveryInFull(
  { pool }: Pick<Context, 'pool'>,
  companyId: string,
  artifactId: string,
) {
  const row = await selectDelivery.first(pool, { companyId, artifactId })
  if (row === undefined) throw notFound()
  return toLoggedDeliveryInFull(row)
}
