import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashSecret } from '../keys/secrets.ts'
import { inTransaction } from '../database/transaction.ts'
import { notFound } from '../http/errors.ts'
import { findOrAddMember } from '../companies/find-or-add-member.ts'
import type { OrderOrigin, Presentation } from './identity-provider.ts'
import {
  collectOrder,
  cancelOrder,
  findOrder,
  storeOrder,
  type BegunOrder,
  type OrderContext,
} from './order.ts'
import { settleOrder, type OrderRow } from './queries.ts'
import { addSession, type NewSession } from '../sessions/session.ts'

interface BegunSignIn extends BegunOrder {
  /** For a cookie of the browser that began: only with it can the sign-in be collected. */
  browserToken: string
}

export type SignInProgress =
  | { state: 'pending'; hint: string; presentation: Presentation }
  | { state: 'failed'; reason: string }
  | { state: 'complete'; memberId: string; session: NewSession }

const aboutNothing = { memberId: null, companyId: null, subject: null, visibleText: null, record: null }

/** Begins a sign-in. Anyone with an electronic identity may sign in; what they find depends on their memberships. */
export async function startSignIn(context: OrderContext, origin: OrderOrigin): Promise<BegunSignIn> {
  const browserToken = randomBytes(32).toString('base64url')
  const { signIn } = context.identity
  const started = await signIn.startSignIn(origin)
  const begun = await storeOrder(context, { purpose: 'sign_in', provider: signIn.name }, started, {
    ...aboutNothing,
    browserHash: hashSecret(browserToken),
  })
  return { ...begun, browserToken }
}

/** An order of another browser is not found: nobody is signed in by an order that somebody else began. */
async function findOwnSignIn(
  context: OrderContext,
  orderId: string,
  browserToken: string | undefined,
): Promise<OrderRow> {
  const row = await findOrder(context, orderId, 'sign_in')
  const same =
    browserToken !== undefined &&
    row.browser_hash !== null &&
    timingSafeEqual(hashSecret(browserToken), row.browser_hash)
  if (!same) throw notFound()
  return row
}

/**
 * Asks how far a sign-in is and, once the person has answered, makes their session. One caller gets the session; for
 * another at the same time, or later, the order has `failed` with `used`.
 *
 * @param browserToken from the cookie of the browser that calls
 * @throws 404 where there is no such order, or another browser began it
 */
export async function collectSignIn(
  context: OrderContext,
  orderId: string,
  browserToken: string | undefined,
): Promise<SignInProgress> {
  const row = await findOwnSignIn(context, orderId, browserToken)
  const progress = await collectOrder(context, row)
  if (progress.state === 'settled') {
    return { state: 'failed', reason: progress.outcome === 'complete' ? 'used' : 'ended' }
  }
  if (progress.state !== 'complete') return progress
  return inTransaction(context.pool, async (client): Promise<SignInProgress> => {
    if ((await settleOrder.first(client, { orderId, state: 'complete' })) === undefined) {
      return { state: 'failed', reason: 'used' }
    }
    const { person, logoutNames } = progress
    const memberId = await findOrAddMember(context, client, person, { signsIn: true })
    const { personalNumber } = person
    const session = await addSession(context, client, { memberId, personalNumber, logoutNames })
    return { state: 'complete', memberId, session }
  })
}

/** Gives up a sign-in. @throws 404 as `collectSignIn` */
export async function cancelSignIn(
  context: OrderContext,
  orderId: string,
  browserToken: string | undefined,
): Promise<void> {
  await cancelOrder(context, await findOwnSignIn(context, orderId, browserToken))
}
