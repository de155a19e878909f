/** What sign-ins and signatures have in common: an order at the provider that is begun and collected here. */
import type { Context } from '../service/context.ts'
import { seal, unseal } from '../keys/seal.ts'
import { notFound } from '../http/errors.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import type { OrderProgress, Presentation, StartedOrder } from './identity-provider.ts'
import { insertOrder, selectOrder, settleOrder, type OrderRow } from './queries.ts'

export type OrderContext = Pick<Context, 'pool' | 'clock' | 'keys' | 'identity'>

/** How long a person has to answer, in milliseconds. Longer than any provider waits, so that the provider decides. */
export const orderLifetimeMs = 15 * 60_000

export interface BegunOrder {
  orderId: string
  presentation: Presentation
  expiresAt: Date
}

/** What an order is about; all null for a sign-in. */
interface OrderSubject {
  memberId: string | null
  companyId: string | null
  subject: string | null
  visibleText: string | null
  record: string | null
  browserHash: Buffer | null
}

/** The place that the provider's state of an order is sealed for. */
export function orderPlace(orderId: string): string {
  return `identity_order:${orderId}`
}

/** Stores an order that the provider has begun. */
export async function storeOrder(
  context: OrderContext,
  purpose: OrderRow['purpose'],
  started: StartedOrder,
  about: OrderSubject,
): Promise<BegunOrder> {
  const now = context.clock.now()
  const orderId = uuidv7(now)
  const expiresAt = new Date(now + orderLifetimeMs)
  await insertOrder.run(context.pool, {
    orderId,
    provider: context.identity.name,
    reference: started.reference,
    purpose,
    memberId: about.memberId,
    companyId: about.companyId,
    subject: about.subject,
    visibleText: about.visibleText,
    record: about.record,
    browserHash: about.browserHash,
    providerStateSealed:
      started.providerState === undefined
        ? null
        : seal(context.keys.master, started.providerState, orderPlace(orderId)),
    createdAt: new Date(now),
    expiresAt,
  })
  return { orderId, presentation: started.presentation, expiresAt }
}

/** @throws 404 where there is no such order, or it is for something else */
export async function findOrder(
  context: OrderContext,
  orderId: string,
  purpose: OrderRow['purpose'],
): Promise<OrderRow> {
  const row = await selectOrder.first(context.pool, { orderId })
  if (row === undefined || row.purpose !== purpose) throw notFound()
  return row
}

function handleOf(context: OrderContext, row: OrderRow) {
  return {
    reference: row.provider_reference,
    providerState:
      row.provider_state_sealed === null
        ? undefined
        : unseal(context.keys.master, row.provider_state_sealed, orderPlace(row.order_id)).toString(),
    startedAtMs: row.created_at.getTime(),
  }
}

/** An order that was settled before: a result is given out once, to the caller that settled it. */
type SettledOrder = { state: 'settled'; outcome: 'complete' | 'failed' }

/**
 * Collects an order from the provider. One that has failed there is settled as failed. One that is past its time has
 * failed too, but is left as it is: the clock may be wrong.
 */
export async function collectOrder(
  context: OrderContext,
  row: OrderRow,
): Promise<OrderProgress | SettledOrder> {
  if (row.state !== 'pending') return { state: 'settled', outcome: row.state }
  // Begun with another provider: the configuration was changed meanwhile, and this one does not know the order.
  const gone = row.provider !== context.identity.name
  if (context.clock.now() >= row.expires_at.getTime()) return { state: 'failed', reason: 'expired' }
  const progress: OrderProgress = gone
    ? { state: 'failed', reason: 'expired' }
    : await context.identity.collect(handleOf(context, row))
  if (progress.state === 'failed')
    await settleOrder.run(context.pool, { orderId: row.order_id, state: 'failed' })
  return progress
}

/** Ends a pending order here and at the provider. Does nothing where it is settled. */
export async function cancelOrder(context: OrderContext, row: OrderRow): Promise<void> {
  const settled = await settleOrder.first(context.pool, { orderId: row.order_id, state: 'failed' })
  if (settled !== undefined && row.provider === context.identity.name) {
    await context.identity.cancel(handleOf(context, row))
  }
}
