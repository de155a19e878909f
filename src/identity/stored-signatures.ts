import type { X509Certificate } from 'node:crypto'
import { isMember } from '../companies/is-member.ts'
import { notFound } from '../http/errors.ts'
import { unseal } from '../keys/seal.ts'
import type { Context } from '../service/context.ts'
import { NotVerified } from './bankid/evidence/not-verified.ts'
import { verifyBankIdEvidence } from './bankid/evidence/verify-evidence.ts'
import { toSignature, type Signature } from './list-signatures.ts'
import { selectStoredSignature, selectStoredSignaturesAfter, type StoredSignatureRow } from './queries.ts'
import { signaturePlace } from './signing.ts'

/**
 * How many signatures are read at once when all are verified. A batch ends early where it is large (`pageBytesMax`), so
 * that any number of signatures takes the same memory.
 */
export const verifiedSignaturesBatchMax = 100

/** A stored signature with its sealed evidence. */
export interface StoredSignature extends Signature {
  evidenceSealed: Buffer
}

type SignatureContext = Pick<Context, 'pool' | 'keys'>

function toStored(row: StoredSignatureRow): StoredSignature {
  return { ...toSignature(row), evidenceSealed: row.evidence_sealed }
}

/** @throws 404 where there is no such signature */
export async function findStoredSignature(
  context: Pick<Context, 'pool'>,
  signatureId: string,
): Promise<StoredSignature> {
  const row = await selectStoredSignature.first(context.pool, { signatureId })
  if (row === undefined) throw notFound()
  return toStored(row)
}

/** All signatures, oldest first, a batch at a time. What is signed meanwhile comes at the end. */
export async function* everyStoredSignature(context: Pick<Context, 'pool'>): AsyncGenerator<StoredSignature> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await selectStoredSignaturesAfter.rows(context.pool, {
      after,
      limit: verifiedSignaturesBatchMax,
    })
    yield* rows.map(toStored)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.signature_id
  }
}

/** The proof of a signature with BankID, verified again. */
export type ProvenSignature = ReturnType<typeof verifyBankIdEvidence>

/**
 * Verifies the kept evidence of a signature with BankID again: it opens, holds against the roots, says what is stored,
 * and is of the member who is said to have signed.
 *
 * @throws NotVerified with the reason in a word
 */
export async function proveStoredSignature(
  context: SignatureContext,
  stored: StoredSignature,
  roots: readonly X509Certificate[],
): Promise<ProvenSignature> {
  let evidence: string
  try {
    evidence = unseal(
      context.keys.master,
      stored.evidenceSealed,
      signaturePlace(stored.signatureId),
    ).toString()
  } catch {
    throw new NotVerified('unreadable_evidence')
  }
  const { visibleText, record } = stored
  const recordSha256 = Buffer.from(stored.recordSha256, 'hex')
  const proven = verifyBankIdEvidence({ visibleText, record, recordSha256, evidence }, roots)
  const { personalNumber } = proven.verified.person
  if (!(await isMember(context, stored.member.memberId, personalNumber)))
    throw new NotVerified('other_person')
  return proven
}
