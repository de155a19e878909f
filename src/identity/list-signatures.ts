import { unseal } from '../keys/seal.ts'
import { notFound } from '../http/errors.ts'
import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import {
  selectOwnSignature,
  selectSignaturesOfCompany,
  selectSignaturesOfMember,
  type SignatureRow,
} from './queries.ts'
import { signaturePlace } from './signing.ts'

/** What was signed, by whom and when. The evidence stays sealed. */
export interface Signature {
  signatureId: string
  member: { memberId: string; name: string | null }
  companyId: string | null
  /** As the company is called now. */
  companyName: string | null
  /** What it is about, such as `connection:<id>`. */
  subject: string
  visibleText: string
  /** Canonical JSON. */
  record: string
  /** Hexadecimal. */
  recordSha256: string
  provider: string
  signedAt: Date
}

export function toSignature(row: SignatureRow): Signature {
  return {
    signatureId: row.signature_id,
    member: { memberId: row.member_id, name: row.member_name },
    companyId: row.company_id,
    companyName: row.company_name,
    subject: row.subject,
    visibleText: row.visible_text,
    record: row.record,
    recordSha256: row.record_sha256.toString('hex'),
    provider: row.provider,
    signedAt: row.signed_at,
  }
}

/**
 * What was signed for a company by anyone, newest first.
 *
 * @throws 403, 404 as `requireRole`
 */
export async function listSignaturesOfCompany(
  context: Pick<Context, 'pool'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
): Promise<Page<Signature>> {
  await requireRole(context.pool, actor, companyId, 'developer')
  const { after, limit } = pageRows(request)
  const rows = await selectSignaturesOfCompany.rows(context.pool, {
    companyId,
    before: after,
    limit: limit + 1,
  })
  return pageOf(rows.map(toSignature), limit, (signature) => signature.signatureId, rows.at(-1)?.more)
}

/** What a person has signed, newest first, for themselves. */
export async function listOwnSignatures(
  context: Pick<Context, 'pool'>,
  memberId: string,
  request: PageRequest = {},
): Promise<Page<Signature>> {
  const { after, limit } = pageRows(request)
  const rows = await selectSignaturesOfMember.rows(context.pool, {
    memberId,
    before: after,
    limit: limit + 1,
  })
  return pageOf(rows.map(toSignature), limit, (signature) => signature.signatureId, rows.at(-1)?.more)
}

/**
 * A signature with the provider's proof of it, for whoever signed: it holds their personal number.
 *
 * @throws 404 where there is no such signature, or it is another member's
 */
export async function showEvidence(
  context: Pick<Context, 'pool' | 'keys'>,
  memberId: string,
  signatureId: string,
): Promise<Signature & { evidence: string }> {
  const row = await selectOwnSignature.first(context.pool, { signatureId, memberId })
  if (row === undefined) throw notFound()
  const evidence = unseal(context.keys.master, row.evidence_sealed, signaturePlace(signatureId)).toString()
  return { ...toSignature(row), evidence }
}
