import { notFound } from '../http/errors.ts'
import { hashSecret } from '../keys/secrets.ts'
import type { OrderContext } from './order.ts'
import { returnToOrder } from './queries.ts'

/**
 * Accepts what BankID's app opened the return page with: then the app is on the device of the browser that began the order. A
 * person who was sent the link of an attacker's order has the nonce, but not that browser's cookie.
 *
 * @param cookies of the browser that calls: of its orders, and of its session
 * @returns path of the page that continues the order
 * @throws 404 where there is no such order, or another browser began it
 */
export async function returnFromApp(
  { pool, clock }: Pick<OrderContext, 'pool' | 'clock'>,
  nonce: string,
  cookies: readonly (string | undefined)[],
): Promise<string> {
  const row = await returnToOrder.first(pool, {
    returnHash: hashSecret(nonce),
    browserHashes: cookies.filter((cookie) => cookie !== undefined).map(hashSecret),
    at: new Date(clock.now()),
  })
  if (row === undefined) throw notFound()
  return row.return_to
}
