import { randomBytes } from 'node:crypto'
import type { DirectoryContext } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { findOrAddMember } from '../members/find-member.ts'
import { isEndedAlready } from '../sessions/provider-logout.ts'
import type { RecordSessionEvent } from '../sessions/session-event.ts'
import type { SessionOrigin } from '../sessions/session-origin.ts'
import { addSession, endSession, type NewSession } from '../sessions/session.ts'
import type { OrderOrigin, OrderProgress } from './identity-provider.ts'
import {
  cancelOrder,
  collectOrder,
  findOrder,
  isSameBrowser,
  settle,
  storeOrder,
  type BegunOrder,
  type OrderContext,
  type SettledOrder,
} from './order.ts'
import type { OrderRow } from './queries.ts'

/** Sign-ins begun from a client network; an office is one. Each costs an order at the provider. */
export const signInRate = { perMinute: 60, burst: 200 }

interface BegunSignIn extends BegunOrder {
  /** For a cookie of the browser that began: only with it can the sign-in be collected. */
  browserToken: string
}

export type SignInProgress =
  | Extract<OrderProgress, { state: 'pending' | 'failed' }>
  | { state: 'complete'; memberId: string; session: NewSession }

/** The browser that collects a sign-in. */
export interface CollectingBrowser {
  origin: SessionOrigin
  /** Of the session that it has, which ends with the new one. */
  sessionToken: string | undefined
}

/**
 * Begins a sign-in. Anyone with an electronic identity may sign in; what they find depends on their memberships.
 *
 * @param cookie of the calling browser. Its token is kept, so that a sign-in in another tab can still be collected. An attacker
 *   who plants one (no browser accepts it over https) does not know the order's id, and gains nothing.
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
  const order = { purpose: 'sign_in', provider: signIn.name } as const
  const begun = await storeOrder(context, order, started, origin, { browserHash: hashSecret(browserToken) })
  return { ...begun, browserToken }
}

/** An order of another browser is not found, so that an attacker cannot be signed in by another person's order. */
async function findOwnSignIn(
  context: OrderContext,
  orderId: string,
  browserToken: string | undefined,
): Promise<OrderRow> {
  const row = await findOrder(context, orderId, 'sign_in')
  if (!isSameBrowser(browserToken, row.browser_hash)) throw notFound()
  return row
}

function toFailed({ state }: SettledOrder): SignInProgress {
  return { state: 'failed', reason: state === 'used' ? 'used' : 'ended' }
}

/**
 * Collects a sign-in and, once the person has answered, begins their session. One caller gets the session; for any other
 * the order has `failed` with `used`. If the person has cancelled meanwhile, or the provider has ended the sign-in, there is
 * no session: the order has failed with `ended`.
 *
 * @param browserToken from the cookie of the calling browser
 * @throws 404 if there is no such order, or another browser began it
 */
export async function collectSignIn(
  context: OrderContext & Pick<DirectoryContext, 'telemetry'>,
  orderId: string,
  browserToken: string | undefined,
  { origin, sessionToken }: CollectingBrowser,
  record: RecordSessionEvent,
): Promise<SignInProgress> {
  const row = await findOwnSignIn(context, orderId, browserToken)
  const progress = await collectOrder(context, row)
  if (progress.state === 'used') return toFailed(progress)
  if (progress.state !== 'complete') return progress
  const { person, logoutNames, isTimeUnknown = false } = progress
  let isEnded = false
  const collected = await inTransaction(context.pool, async (client): Promise<SignInProgress> => {
    isEnded = false
    const isToEnd = logoutNames !== undefined && (await isEndedAlready(context, client, logoutNames))
    const settled = await settle(client, orderId, isToEnd ? 'failed' : 'complete')
    if (settled !== undefined) return toFailed(settled)
    isEnded = isToEnd
    if (isEnded) return { state: 'failed', reason: 'ended' }
    const memberId = await findOrAddMember(context, client, person, { signsIn: true })
    const { personalNumber } = person
    const isRecent = !isTimeUnknown
    const signedIn = { memberId, provider: row.provider, personalNumber, logoutNames, isRecent, origin }
    const session = await addSession(context, client, signedIn)
    const replaced = sessionToken === undefined ? undefined : await endSession({ pool: client }, sessionToken)
    if (replaced !== undefined && replaced !== memberId) {
      await record(client, { memberId: replaced, action: 'session_ended', details: { by: 'sign_in' } })
    }
    await record(client, { memberId, action: 'signed_in', details: { provider: row.provider } })
    return { state: 'complete', memberId, session }
  })
  if (isEnded) context.telemetry.openIdConnectSignIns.inc({ outcome: 'ended' })
  return collected
}

/** @throws 404 as `collectSignIn` */
export async function cancelSignIn(
  context: OrderContext,
  orderId: string,
  browserToken: string | undefined,
): Promise<void> {
  await cancelOrder(context, await findOwnSignIn(context, orderId, browserToken))
}
