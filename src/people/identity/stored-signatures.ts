import type { X509Certificate } from 'node:crypto'
import type { DirectoryContext } from '../../context.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { isMember } from '../members/find-member.ts'
import { NotVerified } from './bankid/evidence/not-verified.ts'
import { verifyBankIdEvidence } from './bankid/evidence/verify-evidence.ts'
import { toSignature } from './list-signatures.ts'
import { selectStoredSignature, selectStoredSignaturesAfter, type StoredSignatureRow } from './queries.ts'
import { sealedSignatures } from './sealed-tables.ts'

/**
 * How many signatures are read at a time when all are verified. A batch ends early if it is large (`pageBytesMax`), so
 * that any number of signatures takes the same memory.
 */
export const verifiedSignaturesBatchMax = 100

export type StoredSignature = ReturnType<typeof toStored>

function toStored(row: StoredSignatureRow) {
  return { ...toSignature(row), evidenceSealed: row.evidence_sealed }
}

/** @throws 404 if there is no such signature */
export async function findStoredSignature(
  context: Pick<DirectoryContext, 'pool'>,
  signatureId: string,
): Promise<StoredSignature> {
  const row = await selectStoredSignature.first(context.pool, { signatureId })
  if (row === undefined) throw notFound()
  return toStored(row)
}

/** All signatures, oldest first, a batch at a time. What is signed meanwhile comes last. */
export async function* everyStoredSignature({
  pool,
}: Pick<DirectoryContext, 'pool'>): AsyncGenerator<StoredSignature> {
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
    const rows: StoredSignatureRow[] = await selectStoredSignaturesAfter.rows(pool, {
      after,
      limit: verifiedSignaturesBatchMax,
    })
    yield* rows.map(toStored)
    after = rows.at(-1)?.signature_id
  }
}

export type ProvenSignature = ReturnType<typeof verifyBankIdEvidence>

/**
 * Verifies the stored evidence of a signature with BankID again: it opens, holds against the roots, says what is stored,
 * and names the member who is recorded as the signer.
 *
 * @throws NotVerified with the reason in a word
 */
export async function proveStoredSignature(
  context: Pick<DirectoryContext, 'pool' | 'keys'>,
  { signatureId, evidenceSealed, member, visibleText, record, recordSha256 }: StoredSignature,
  roots: readonly X509Certificate[],
): Promise<ProvenSignature> {
  let evidence: string
  try {
    evidence = sealedSignatures.unseal(context, { signature_id: signatureId }, evidenceSealed)
  } catch {
    throw new NotVerified('unreadable_evidence')
  }
  const hash = Buffer.from(recordSha256, 'hex')
  const proven = verifyBankIdEvidence({ visibleText, record, recordSha256: hash, evidence }, roots)
  const { personalNumber } = proven.verified.person
  if (!(await isMember(context, member.memberId, personalNumber))) throw new NotVerified('other_person')
  return proven
}
