import type { PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import type { BegunOrder } from '../../people/identity/order.ts'
import {
  cancelSigning,
  collectSigning,
  startSigning,
  type OwnSigning,
  type Signed,
  type SigningOrigin,
  type SigningProgress,
} from '../../people/identity/signing.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { lockRole, requireRole } from '../../people/members/require-role.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import type { Language } from '../../platform/http/requests/preferred-language.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { deletionRecord, deletionText } from './deletion-text.ts'
import { upsertRequest } from './queries.ts'
import { scheduleDeletion } from './schedule-deletion.ts'
import { findDeletion, findExport } from './show-deletion.ts'

type SigningContext = Pick<Context, 'pool' | 'shard' | 'clock' | 'keys'> & WithIdentity

function createSigning(memberId: string, companyId: string): OwnSigning {
  return { memberId, companyId, subject: `company_deletion:${companyId}` }
}

/**
 * The id of the deletion that this owner may sign now: that of the other's request, or a new one.
 *
 * @throws 409 `conflict` if they have signed, it is scheduled, or a first signature has no export before it
 */
async function requireSignable(
  on: Queryable,
  memberId: string,
  companyId: string,
  nowMs: number,
): Promise<string> {
  const found = await findDeletion(on, companyId, nowMs)
  if (found === undefined) {
    if ((await findExport(on, companyId, nowMs)) === undefined)
      throw conflict('Export the company first: within the 30 days before the signature.')
    return uuidv7(nowMs)
  }
  if (found.scheduled_at !== null) throw conflict('The company is already to be deleted.')
  if (found.first_signed_by === memberId) throw conflict('You have signed: another owner signs next.')
  return found.deletion_id
}

/**
 * Begins an owner's signature of the deletion of their company. The first one requests it; the second one, another owner's,
 * begins its grace period.
 *
 * @param language of the text that is signed
 * @throws 403, 404 as `requireRole`, for owners; 409 `conflict` if they have signed, the company is to be deleted, or it was
 *   not exported
 */
export async function startSigningDeletion(
  context: SigningContext,
  memberId: string,
  companyId: string,
  language: Language,
  origin: SigningOrigin,
): Promise<BegunOrder & { visibleText: string }> {
  const company = await requireRole(context.pool, { memberId }, companyId, 'owner')
  const deletionId = await requireSignable(context.pool, memberId, companyId, context.clock.now())
  const visibleText = deletionText(company, language)
  const record = deletionRecord(company, deletionId)
  const begun = await startSigning(context, origin, {
    ...createSigning(memberId, companyId),
    visibleText,
    record,
  })
  return { ...begun, visibleText }
}

/** @throws 409 `conflict` if what was signed is no longer what may be signed, and 403, 404 as `requireRole` */
async function storeSigned(
  context: SigningContext,
  client: PoolClient,
  { memberId, companyId }: { memberId: string; companyId: string },
  { signatureId, record, signedAtMs: atMs }: Signed,
): Promise<void> {
  await lockCompany(client, companyId)
  const company = await lockRole(client, { memberId }, companyId, 'owner')
  const deletionId = String(record['deletion_id'])
  const signableId = await requireSignable(client, memberId, companyId, atMs)
  const requested = await findDeletion(client, companyId, atMs)
  if (requested !== undefined) {
    if (signableId !== deletionId)
      throw conflict('The deletion was withdrawn or requested again meanwhile: sign it again.')
    await scheduleDeletion(context, client, { memberId }, company, { requested, signatureId, atMs })
    return
  }
  await upsertRequest.run(client, {
    companyId,
    deletionId,
    signedBy: memberId,
    signatureId,
    at: new Date(atMs),
  })
  await recordAuditEvent(client, {
    companyId,
    actor: { memberId },
    action: 'company_deletion_requested',
    subject: { kind: 'company', id: companyId, name: company.name },
    details: { signature_id: signatureId },
    atMs,
  })
}

/**
 * Polls the signature. Of concurrent calls, one stores what was signed.
 *
 * @throws 403, 404 as `requireRole`; 404 if the member has no such order for this company; 409 `conflict` as
 *   `startSigningDeletion`, and if the deletion has become another one or its first signer is no longer an owner
 */
export async function collectDeletionSignature(
  context: SigningContext,
  memberId: string,
  companyId: string,
  orderId: string,
): Promise<SigningProgress<void>> {
  await requireRole(context.pool, { memberId }, companyId, 'owner')
  return collectSigning(context, orderId, createSigning(memberId, companyId), (client, signed) =>
    storeSigned(context, client, { memberId, companyId }, signed),
  )
}

/** Cancels the signature. @throws 403, 404 as `collectDeletionSignature` */
export async function cancelSigningDeletion(
  context: SigningContext,
  memberId: string,
  companyId: string,
  orderId: string,
): Promise<void> {
  await requireRole(context.pool, { memberId }, companyId, 'owner')
  await cancelSigning(context, orderId, createSigning(memberId, companyId))
}
