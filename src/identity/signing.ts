import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { seal } from '../keys/seal.ts'
import { inTransaction } from '../database/transaction.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import { canonicalRecord } from './canonical-record.ts'
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
import { isMember } from '../companies/is-member.ts'
import { findPersonalNumber } from '../sessions/session.ts'
import { limitSignatures } from './limit-signatures.ts'
import { insertSignature, settleOrder, type OrderRow } from './queries.ts'

/** The place that the evidence of a signature is sealed for. */
export function signaturePlace(signatureId: string): string {
  return `signature:${signatureId}`
}

/** Where a signature is begun. */
export interface SigningOrigin extends OrderOrigin {
  /** The session that it is begun in; undefined on the command line. */
  sessionHash: Buffer | undefined
}

/** What is to be signed. */
interface ToSign {
  /** Who must sign. */
  memberId: string
  /** Whose pages list the signature; null for one that is the member's alone. */
  companyId: string | null
  /** What the signature is about, such as `connection:<id>`. */
  subject: string
  /** What the person reads. */
  visibleText: string
  /** What is signed, to the letter: stored in canonical form (`canonicalRecord`). */
  record: Record<string, unknown>
}

export interface Signed {
  signatureId: string
  /** The canonical record, parsed. */
  record: Record<string, unknown>
  signedAtMs: number
}

export type SigningProgress<Result> =
  | { state: 'pending'; hint: string; presentation: Presentation; visibleText: string }
  /** `other_person`: somebody other than the member answered. `ended`: the order is over. */
  | { state: 'failed'; reason: string }
  | { state: 'complete'; result: Result }
  /** Another call completed it, and got the result. */
  | { state: 'completed_before' }

/**
 * Begins an electronic signature.
 *
 * @throws 403 `permission_denied` where this deployment's provider only signs people in
 * @throws 429 `rate_limited` with `Retry-After` where the member has begun too many
 */
export async function startSigning(
  context: OrderContext,
  { sessionHash, ...origin }: SigningOrigin,
  toSign: ToSign,
): Promise<BegunOrder> {
  const { signing } = context.identity
  if (signing === undefined) {
    throw new ApiError(
      'permission_denied',
      'The electronic identity of this deployment signs people in, and cannot sign.',
    )
  }
  const { memberId, companyId, subject, visibleText } = toSign
  // The command line is the operator's.
  if (sessionHash !== undefined) await limitSignatures(context, memberId)
  const record = canonicalRecord(toSign.record)
  const personalNumber = sessionHash && (await findPersonalNumber(context, sessionHash, memberId))
  const started = await signing.startSigning({
    ...origin,
    visibleText,
    recordSha256: createHash('sha256').update(record).digest(),
    personalNumber,
  })
  return storeOrder(context, { purpose: 'sign', provider: signing.name }, started, origin, {
    memberId,
    companyId,
    subject,
    visibleText,
    record,
    browserHash: sessionHash ?? null,
  })
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
 * What a member's signature is about, begun or made, for a caller that knows only its order.
 *
 * @throws 404 where there is no such order of theirs
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

/** Of an order that another call settled. What was given up brings nothing about, however it was answered. */
function overBefore(
  outcome: SettledOrder['outcome'],
): { state: 'completed_before' } | { state: 'failed'; reason: string } {
  return outcome === 'complete' ? { state: 'completed_before' } : { state: 'failed', reason: 'ended' }
}

/**
 * Asks how far a signature is and, once the person has signed, stores it and does what was signed for, in one
 * transaction. Any number may call at once: `onSigned` runs to its end for one of them.
 *
 * @param own the order must be this member's, for this company, and about this
 * @param onSigned what the signature brings about; if it throws, nothing is stored and the order stays open
 * @throws 404 where there is no such order of theirs
 */
export async function collectSigning<Result>(
  context: OrderContext,
  orderId: string,
  own: OwnSigning,
  onSigned: (client: PoolClient, signed: Signed) => Promise<Result>,
): Promise<SigningProgress<Result>> {
  const row = await findOwnSigning(context, orderId, own)
  const progress = await collectOrder(context, row)
  if (progress.state === 'settled') return overBefore(progress.outcome)
  if (progress.state === 'pending') return { ...progress, visibleText: row.visible_text! }
  if (progress.state === 'failed') return progress

  if (!(await isMember(context, own.memberId, progress.person.personalNumber))) {
    await settleOrder.run(context.pool, { orderId, state: 'failed' })
    return { state: 'failed', reason: 'other_person' }
  }

  return inTransaction(context.pool, async (client): Promise<SigningProgress<Result>> => {
    if ((await settleOrder.first(client, { orderId, state: 'complete' })) === undefined) {
      return overBefore(await outcomeOf(client, orderId))
    }
    await findOrAddMember(context, client, progress.person)
    const signedAtMs = context.clock.now()
    const signatureId = uuidv7(signedAtMs)
    const record = row.record!
    await insertSignature.run(client, {
      signatureId,
      memberId: own.memberId,
      companyId: row.company_id,
      subject: own.subject,
      visibleText: row.visible_text!,
      record,
      recordSha256: createHash('sha256').update(record).digest(),
      provider: row.provider,
      evidenceSealed: seal(context.keys.master, progress.evidence, signaturePlace(signatureId)),
      signedAt: new Date(signedAtMs),
    })
    const signed = { signatureId, record: JSON.parse(record) as Record<string, unknown>, signedAtMs }
    return { state: 'complete', result: await onSigned(client, signed) }
  })
}

/** Gives up a signature that is not made yet. @throws 404 as `collectSigning` */
export async function cancelSigning(context: OrderContext, orderId: string, own: OwnSigning): Promise<void> {
  await cancelOrder(context, await findOwnSigning(context, orderId, own))
}
