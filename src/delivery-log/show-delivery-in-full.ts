import type { Context } from '../service/context.ts'
import { toLoggedDeliveryInFull, type LoggedDeliveryInFull } from './logged-delivery.ts'
import { selectDelivery } from './queries.ts'

/** One delivery of a company with all that the developer page says of it; undefined where it has none of that id. */
export async function showDeliveryInFull(
  context: Pick<Context, 'pool'>,
  companyId: string,
  artifactId: string,
): Promise<LoggedDeliveryInFull | undefined> {
  const row = await selectDelivery.first(context.pool, { companyId, artifactId })
  return row && toLoggedDeliveryInFull(row)
}
