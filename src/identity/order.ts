/** What sign-ins and signatures have in common: an order at the provider that is begun and collected here. */
import type { Queryable } from '../database/pool.ts'
import type { Context } from '../service/context.ts'
import { notFound } from '../http/errors.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import type {
  OrderOrigin,
  OrderProgress,
  Presentation,
  SigningProvider,
  SignInProvider,
  StartedOrder,
} from './identity-provider.ts'
import { insertOrder, selectOrder, settleOrder, type OrderRow } from './queries.ts'

export type OrderContext = Pick<Context, 'pool' | 'clock' | 'keys' | 'identity'>

/** How long a person has to answer, in milliseconds. Longer than any provider waits, so that the provider decides. */
export const orderLifetimeMs = 15 * 60_000

export interface BegunOrder {
  orderId: string
  presentation: Presentation
  expiresAt: Date
  /** When it has failed if nobody has begun to answer. */
  answerBy: Date
}

/** What an order is about; all null for a sign-in. */
interface OrderSubject {
  memberId: string | null
  companyId: string | null
  subject: string | null
  visibleText: string | null
  record: string | null
  /** Of the browser that began: its order cookie's, or of a signature its session's. */
  browserHash: Buffer | null
}

/** The provider of an order, unless the order is of one that was configured before. */
function providerOf(
  { identity }: Pick<Context, 'identity'>,
  row: Pick<OrderRow, 'purpose' | 'provider'>,
): SignInProvider | SigningProvider | undefined {
  const provider = row.purpose === 'sign' ? identity.signing : identity.signIn
  return provider?.name === row.provider ? provider : undefined
}

/** Stores an order that the provider has begun. */
export async function storeOrder(
  context: OrderContext,
  { purpose, provider }: Pick<OrderRow, 'purpose' | 'provider'>,
  started: StartedOrder,
  { returnTo, returnHash }: Pick<OrderOrigin, 'returnTo' | 'returnHash'>,
  about: OrderSubject,
): Promise<BegunOrder> {
  const now = context.clock.now()
  const orderId = uuidv7(now)
  const expiresAt = new Date(now + orderLifetimeMs)
  await insertOrder.run(context.pool, {
    orderId,
    provider,
    reference: started.reference,
    purpose,
    memberId: about.memberId,
    companyId: about.companyId,
    subject: about.subject,
    visibleText: about.visibleText,
    record: about.record,
    browserHash: about.browserHash,
    returnTo,
    returnHash,
    createdAt: new Date(now),
    expiresAt,
  })
  const answerBy = new Date(now + (started.answerWithinMs ?? orderLifetimeMs))
  return { orderId, presentation: started.presentation, expiresAt, answerBy }
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

/** An order that was settled before: a result is given out once, to the caller that settled it. */
export type SettledOrder = { state: 'settled'; outcome: 'complete' | 'failed' }

/**
 * Collects an order from the provider. One that has failed there is settled as failed. One that is past its time, here or
 * there, has failed too, but is left as it is: the clock may be wrong.
 */
export async function collectOrder(
  context: OrderContext,
  row: OrderRow,
): Promise<OrderProgress | SettledOrder> {
  if (row.state !== 'pending') return { state: 'settled', outcome: row.state }
  if (context.clock.now() >= row.expires_at.getTime()) return { state: 'failed', reason: 'expired' }
  const collected = providerOf(context, row)?.collect(row.provider_reference, row.returned_at !== null)
  const progress: OrderProgress = (await collected) ?? { state: 'failed', reason: 'expired' }
  if (progress.state === 'failed' && progress.reason !== 'expired')
    await settleOrder.run(context.pool, { orderId: row.order_id, state: 'failed' })
  return progress
}

/**
 * How an order ended that was no longer pending when its result was to be stored: another call had the result before, or
 * the person, or the provider, gave it up.
 */
export async function outcomeOf(on: Queryable, orderId: string): Promise<SettledOrder['outcome']> {
  const row = await selectOrder.first(on, { orderId })
  return row?.state === 'complete' ? 'complete' : 'failed'
}

/** Ends a pending order here and at the provider. Does nothing where it is settled. */
export async function cancelOrder(context: OrderContext, row: OrderRow): Promise<void> {
  const settled = await settleOrder.first(context.pool, { orderId: row.order_id, state: 'failed' })
  if (settled !== undefined) await providerOf(context, row)?.cancel(row.provider_reference)
}
