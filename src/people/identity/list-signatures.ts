import { notFound } from '../../platform/http/errors/errors.ts'
import type { WithinBytes } from '../../platform/database/within-bytes.ts'
import type { DirectoryContext } from '../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import {
  selectOwnSignature,
  selectSignaturesOfCompany,
  selectSignaturesOfMember,
  type SignatureRow,
} from './queries.ts'
import { sealedSignatures } from './sealed-tables.ts'

/** What was signed, by whom and when. The evidence stays sealed. */
export type Signature = ReturnType<typeof toSignature>

export function toSignature(row: SignatureRow) {
  return {
    signatureId: row.signature_id,
    member: { memberId: row.member_id, name: row.member_name },
    companyId: row.company_id,
    /** The company's present name. */
    companyName: row.company_name,
    /** What it is about, such as `connection:<id>`. */
    subject: row.subject,
    visibleText: row.visible_text,
    /** Canonical JSON. */
    record: row.record,
    /** Hexadecimal. */
    recordSha256: row.record_sha256.toString('hex'),
    provider: row.provider,
    signedAt: row.signed_at,
  }
}

/** What was signed for a company by any member, newest first: for the operator. */
export function listSignaturesOfCompany(
  context: Pick<DirectoryContext, 'pool'>,
  companyId: string,
  request: PageRequest = {},
): Promise<Page<Signature>> {
  return listPage(request, (range) => selectSignaturesOfCompany.rows(context.pool, { companyId, ...range }))
}

/** What a member has signed, newest first. */
export function listSignaturesOfMember(
  context: Pick<DirectoryContext, 'pool'>,
  memberId: string,
  request: PageRequest = {},
): Promise<Page<Signature>> {
  return listPage(request, (range) => selectSignaturesOfMember.rows(context.pool, { memberId, ...range }))
}

async function listPage(
  request: PageRequest,
  select: (range: { before: string | null; limit: number }) => Promise<(SignatureRow & WithinBytes)[]>,
): Promise<Page<Signature>> {
  const { after, limit } = pageRows(request)
  const rows = await select({ before: after, limit: limit + 1 })
  return toPage(rows.map(toSignature), limit, (signature) => signature.signatureId, rows.at(-1)?.more)
}

/**
 * A signature with the provider's proof, for the member who signed: it holds their personal number.
 *
 * @throws 404 if the member has no such signature
 */
export async function findEvidence(
  context: Pick<DirectoryContext, 'pool' | 'keys'>,
  memberId: string,
  signatureId: string,
): Promise<Signature & { evidence: string }> {
  const row = await selectOwnSignature.first(context.pool, { signatureId, memberId })
  if (row === undefined) throw notFound()
  const evidence = sealedSignatures.unseal(context, row, row.evidence_sealed)
  return { ...toSignature(row), evidence }
}
