/** What sign-ins and signatures have in common: an order at the provider that begins and is collected here. */
import { timingSafeEqual } from 'node:crypto'
import type { DirectoryContext } from '../../context.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import type {
  OrderOrigin,
  OrderProgress,
  Presentation,
  SigningProvider,
  SignInProvider,
  StartedOrder,
  WithIdentity,
} from './identity-provider.ts'
import { insertOrder, returnToOrder, selectOrder, settleOrder, type OrderRow } from './queries.ts'

export type OrderContext = Pick<DirectoryContext, 'pool' | 'clock' | 'keys'> & WithIdentity

/** How long an order lasts, in milliseconds: longer than any provider waits, so that the provider decides. */
export const orderLifetimeMs = 15 * 60_000

export interface BegunOrder {
  orderId: string
  presentation: Presentation
  expiresAt: Date
  /** When it has failed unless the person has started to answer. */
  answerBy: Date
}

/** The subject of an order; for a sign-in only the browser. */
interface OrderSubject {
  memberId?: string
  companyId?: string | null
  subject?: string
  visibleText?: string
  record?: string
  /** SHA-256 of the token of the browser that began: of its order cookie, or for a signature of its session. */
  browserHash: Buffer | null
}

/** Undefined if the deployment has another provider by now. */
function findProvider(
  { identity }: WithIdentity,
  { purpose, provider: name }: Pick<OrderRow, 'purpose' | 'provider'>,
): SignInProvider | SigningProvider | undefined {
  const provider = purpose === 'sign' ? identity.signing : identity.signIn
  return provider?.name === name ? provider : undefined
}

/** Stores an order that the provider has begun. */
export async function storeOrder(
  context: OrderContext,
  { purpose, provider }: Pick<OrderRow, 'purpose' | 'provider'>,
  started: StartedOrder,
  { returnTo, returnHash }: OrderOrigin,
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
    ...about,
    returnTo,
    returnHash,
    createdAt: new Date(now),
    expiresAt,
  })
  const answerBy = new Date(now + (started.answerWithinMs ?? orderLifetimeMs))
  return { orderId, presentation: started.presentation, expiresAt, answerBy }
}

/** @throws 404 if there is no such order, or it is for another purpose */
export async function findOrder(
  context: OrderContext,
  orderId: string,
  purpose: OrderRow['purpose'],
): Promise<OrderRow> {
  const row = await selectOrder.first(context.pool, { orderId })
  if (row === undefined || row.purpose !== purpose) throw notFound()
  return row
}

/** The outcome of an order that was settled before. `used`: another call got its result, which is given once. */
export type SettledOrder = { state: 'used' } | { state: 'failed'; reason: 'ended' }

function toSettled(state: OrderRow['state'] | undefined): SettledOrder {
  return state === 'complete' ? { state: 'used' } : { state: 'failed', reason: 'ended' }
}

/**
 * Collects an order from the provider. If it has failed there it is settled as failed, unless it is past its time, here or
 * there: the clock may be wrong.
 */
export async function collectOrder(
  context: OrderContext,
  row: OrderRow,
): Promise<OrderProgress | SettledOrder> {
  if (row.state !== 'pending') return toSettled(row.state)
  if (context.clock.now() >= row.expires_at.getTime()) return { state: 'failed', reason: 'expired' }
  const collected = findProvider(context, row)?.collect(row.provider_reference, row.returned_at !== null)
  const progress: OrderProgress = (await collected) ?? { state: 'failed', reason: 'expired' }
  if (progress.state === 'failed' && progress.reason !== 'expired')
    await settleOrder.run(context.pool, { orderId: row.order_id, state: 'failed' })
  return progress
}

/** Settles a pending order. Returns undefined on success, or how another call, the person or the provider settled it before. */
export async function settle(
  on: Queryable,
  orderId: string,
  state: 'complete' | 'failed',
): Promise<SettledOrder | undefined> {
  if ((await settleOrder.first(on, { orderId, state })) !== undefined) return undefined
  return toSettled((await selectOrder.first(on, { orderId }))?.state)
}

/**
 * Accepts the nonce with which BankID's app opened the return page: the app is then on the device of the browser that began the
 * order. A person who was sent the link of an attacker's order has the nonce, but not the attacker's cookie.
 *
 * @param cookies of the calling browser: those of its orders, and of its session
 * @returns path of the page that continues the order
 * @throws 404 if there is no such order, or another browser began it
 */
export async function returnFromApp(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
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

/** Compares the token of a browser's cookie with the hash of the one that began an order, in constant time. */
export function isSameBrowser(browserToken: string | undefined, browserHash: Buffer | null): boolean {
  if (browserToken === undefined || browserHash === null) return false
  return timingSafeEqual(hashSecret(browserToken), browserHash)
}

/** Ends a pending order here and at the provider. Does nothing if it is settled. */
export async function cancelOrder(context: OrderContext, row: OrderRow): Promise<void> {
  const settled = await settleOrder.first(context.pool, { orderId: row.order_id, state: 'failed' })
  if (settled !== undefined) await findProvider(context, row)?.cancel(row.provider_reference)
}
