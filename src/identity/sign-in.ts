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
  outcomeOf,
  storeOrder,
  type BegunOrder,
  type OrderContext,
  type SettledOrder,
} from './order.ts'
import { settleOrder, type OrderRow } from './queries.ts'
import type { Context } from '../service/context.ts'
import { isEndedAlready } from '../sessions/end-named-sessions.ts'
import { addSession, endSession, type NewSession } from '../sessions/session.ts'
import { unknownOrigin, type SessionOrigin } from '../sessions/session-origin.ts'

interface BegunSignIn extends BegunOrder {
  /** For a cookie of the browser that began: only with it can the sign-in be collected. */
  browserToken: string
}

export type SignInProgress =
  | { state: 'pending'; hint: string; presentation: Presentation }
  | { state: 'failed'; reason: string }
  | { state: 'complete'; memberId: string; session: NewSession }

/** The browser that collects a sign-in. */
export interface CollectingBrowser {
  origin: SessionOrigin
  /** The session's that it has; it ends with the new one. */
  sessionToken: string | undefined
}

const noBrowser: CollectingBrowser = { origin: unknownOrigin, sessionToken: undefined }

const aboutNothing = { memberId: null, companyId: null, subject: null, visibleText: null, record: null }

/**
 * Begins a sign-in. Anyone with an electronic identity may sign in; what they find depends on their memberships.
 *
 * @param cookie of the browser that calls. Its token goes on where there is one, so that a sign-in in another tab can still be
 *   collected. Whoever plants one (no browser takes it behind https) knows no order's id, and has no use of it.
 */
export async function startSignIn(
  context: OrderContext,
  origin: OrderOrigin,
  cookie?: string,
): Promise<BegunSignIn> {
  const isOwn = cookie !== undefined && /^[\w-]{43}$/.test(cookie)
  const browserToken = isOwn ? cookie : randomBytes(32).toString('base64url')
  const { signIn } = context.identity
  const started = await signIn.startSignIn(origin)
  const begun = await storeOrder(context, { purpose: 'sign_in', provider: signIn.name }, started, origin, {
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

/** Of an order that another call settled. */
function overBefore(outcome: SettledOrder['outcome']): SignInProgress {
  return { state: 'failed', reason: outcome === 'complete' ? 'used' : 'ended' }
}

/**
 * Asks how far a sign-in is and, once the person has answered, makes their session. One caller gets the session; for
 * another at the same time, or later, the order has `failed` with `used`. No session is made where the person has given the
 * sign-in up meanwhile, or the provider has ended it: the order has failed with `ended`.
 *
 * @param browserToken from the cookie of the browser that calls
 * @throws 404 where there is no such order, or another browser began it
 */
export async function collectSignIn(
  context: OrderContext & Pick<Context, 'telemetry'>,
  orderId: string,
  browserToken: string | undefined,
  { origin, sessionToken }: CollectingBrowser = noBrowser,
): Promise<SignInProgress> {
  const row = await findOwnSignIn(context, orderId, browserToken)
  const progress = await collectOrder(context, row)
  if (progress.state === 'settled') return overBefore(progress.outcome)
  if (progress.state !== 'complete') return progress
  const { person, logoutNames, isTimeUnknown = false } = progress
  let isEnded = false
  const collected = await inTransaction(context.pool, async (client): Promise<SignInProgress> => {
    isEnded = false
    const isToEnd = logoutNames !== undefined && (await isEndedAlready(context, client, logoutNames))
    const state = isToEnd ? 'failed' : 'complete'
    if ((await settleOrder.first(client, { orderId, state })) === undefined) {
      return overBefore(await outcomeOf(client, orderId))
    }
    isEnded = isToEnd
    if (isEnded) return { state: 'failed', reason: 'ended' }
    const memberId = await findOrAddMember(context, client, person, { signsIn: true })
    const { personalNumber } = person
    const isRecent = !isTimeUnknown
    const signedIn = { memberId, provider: row.provider, personalNumber, logoutNames, isRecent, origin }
    const session = await addSession(context, client, signedIn)
    if (sessionToken !== undefined) await endSession({ pool: client }, sessionToken)
    return { state: 'complete', memberId, session }
  })
  if (isEnded) context.telemetry.openIdConnectSignIns.inc({ outcome: 'ended' })
  return collected
}

/** Gives up a sign-in. @throws 404 as `collectSignIn` */
export async function cancelSignIn(
  context: OrderContext,
  orderId: string,
  browserToken: string | undefined,
): Promise<void> {
  await cancelOrder(context, await findOwnSignIn(context, orderId, browserToken))
}
