import { hash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { canonicalJson } from '../../formats/json/canonical-json.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { ApiError, notFound } from '../../platform/http/errors/errors.ts'
import { enforceRate } from '../../platform/rate-limit/enforce-rate.ts'
import { findOrAddMember } from '../members/find-member.ts'
import { isMember } from '../members/find-member.ts'
import { findPersonalNumber } from '../sessions/session.ts'
import type { OrderOrigin, OrderProgress } from './identity-provider.ts'
import {
  cancelOrder,
  collectOrder,
  findOrder,
  settle,
  storeOrder,
  type BegunOrder,
  type OrderContext,
  type SettledOrder,
} from './order.ts'
import { insertSignature, settleOrder, type OrderRow } from './queries.ts'
import { sealedSignatures } from './sealed-tables.ts'

/** Signatures begun by a member. Each costs an order at the provider, and a row with its text for a day. */
export const signatureRate = { perMinute: 30, burst: 100 }

export interface SigningOrigin extends OrderOrigin {
  /** The session in which it begins; undefined on the command line. */
  sessionHash: Buffer | undefined
}

interface ToSign {
  /** Who must sign. */
  memberId: string
  /** The company whose signature it is; null for a signature that is only the member's. */
  companyId: string | null
  /** What the signature is about, such as `connection:<id>`. */
  subject: string
  /** What the person reads. */
  visibleText: string
  /** What is signed, stored as canonical JSON (RFC 8785). */
  record: Record<string, unknown>
}

export interface Signed {
  signatureId: string
  /** The canonical record, parsed. */
  record: Record<string, unknown>
  signedAtMs: number
}

export type SigningProgress<Result> =
  | (Extract<OrderProgress, { state: 'pending' }> & { visibleText: string })
  /** `other_person`: a person other than the member answered. `ended`: the order is over. */
  | { state: 'failed'; reason: string }
  | { state: 'complete'; result: Result }
  /** Another call completed it, and got the result. */
  | { state: 'completed_before' }

/**
 * Begins an electronic signature.
 *
 * @throws 403 `permission_denied` if this deployment's provider only signs people in
 * @throws 429 `rate_limited` with `Retry-After` if the member has begun too many
 */
export async function startSigning(
  context: OrderContext,
  { sessionHash, ...origin }: SigningOrigin,
  { record: toSign, ...about }: ToSign,
): Promise<BegunOrder> {
  const { signing } = context.identity
  if (signing === undefined) {
    throw new ApiError(
      'permission_denied',
      'The electronic identity of this deployment signs people in, and cannot sign.',
    )
  }
  const { memberId, visibleText } = about
  // The command line is the operator's.
  if (sessionHash !== undefined) {
    const message = 'You started too many signatures. Wait a moment, then try again.'
    await enforceRate(context, `signature ${memberId}`, signatureRate, message)
  }
  const record = canonicalJson(Buffer.from(JSON.stringify(toSign))).toString()
  const personalNumber = sessionHash && (await findPersonalNumber(context, sessionHash, memberId))
  const recordSha256 = hash('sha256', record, 'buffer')
  const started = await signing.startSigning({ ...origin, visibleText, recordSha256, personalNumber })
  const order = { purpose: 'sign', provider: signing.name } as const
  return storeOrder(context, order, started, origin, { ...about, record, browserHash: sessionHash ?? null })
}

/** What an order is found by: who must sign, for which company, and what about. */
export type OwnSigning = Pick<ToSign, 'memberId' | 'companyId' | 'subject'>

async function findOwnSigning(context: OrderContext, orderId: string, own: OwnSigning): Promise<OrderRow> {
  const row = await findOrder(context, orderId, 'sign')
  const isOwn =
    row.member_id === own.memberId && row.company_id === own.companyId && row.subject === own.subject
  if (!isOwn) throw notFound()
  return row
}

/**
 * What a member's signature is about, for a caller that knows only its order.
 *
 * @throws 404 if the member has no such order
 */
export async function findSigning(
  context: OrderContext,
  orderId: string,
  memberId: string,
): Promise<{ subject: string; record: Record<string, unknown> }> {
  const row = await findOrder(context, orderId, 'sign')
  if (row.member_id !== memberId) throw notFound()
  return { subject: row.subject!, record: JSON.parse(row.record!) as Record<string, unknown> }
}

/** What was cancelled has no effect, however it was answered. */
function toProgress(
  settled: SettledOrder | { state: 'failed'; reason: string },
): { state: 'completed_before' } | { state: 'failed'; reason: string } {
  return settled.state === 'used' ? { state: 'completed_before' } : settled
}

/**
 * Collects a signature and, once the person has signed, stores it and does what was signed for, in one transaction.
 * Calls may be concurrent: `onSigned` takes effect for one of them.
 *
 * @param own the order must be this member's, for this company, and about this
 * @param onSigned what the signature brings about; if it throws, nothing is stored and the order stays open
 * @throws 404 if the member has no such order
 */
export async function collectSigning<Result>(
  context: OrderContext,
  orderId: string,
  own: OwnSigning,
  onSigned: (client: PoolClient, signed: Signed) => Promise<Result>,
): Promise<SigningProgress<Result>> {
  const row = await findOwnSigning(context, orderId, own)
  const progress = await collectOrder(context, row)
  if (progress.state === 'used' || progress.state === 'failed') return toProgress(progress)
  if (progress.state === 'pending') return { ...progress, visibleText: row.visible_text! }

  if (!(await isMember(context, own.memberId, progress.person.personalNumber))) {
    await settleOrder.run(context.pool, { orderId, state: 'failed' })
    return { state: 'failed', reason: 'other_person' }
  }

  return inDirectoryTransaction(context.pool, async (client): Promise<SigningProgress<Result>> => {
    const settled = await settle(client, orderId, 'complete')
    if (settled !== undefined) return toProgress(settled)
    await findOrAddMember(context, client, progress.person)
    const signedAtMs = context.clock.now()
    const signatureId = uuidv7(signedAtMs)
    const record = row.record!
    await insertSignature.run(client, {
      signatureId,
      ...own,
      visibleText: row.visible_text!,
      record,
      recordSha256: hash('sha256', record, 'buffer'),
      provider: row.provider,
      evidenceSealed: sealedSignatures.seal(context, { signature_id: signatureId }, progress.evidence),
      signedAt: new Date(signedAtMs),
    })
    const signed = { signatureId, record: JSON.parse(record) as Record<string, unknown>, signedAtMs }
    return { state: 'complete', result: await onSigned(client, signed) }
  })
}

/** @throws 404 as `collectSigning` */
export async function cancelSigning(context: OrderContext, orderId: string, own: OwnSigning): Promise<void> {
  await cancelOrder(context, await findOwnSigning(context, orderId, own))
}
