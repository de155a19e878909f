import type { X509Certificate } from 'node:crypto'
import { isMember } from '../companies/is-member.ts'
import { notFound } from '../http/errors.ts'
import { unseal } from '../keys/seal.ts'
import type { Context } from '../service/context.ts'
import { NotVerified } from './bankid/not-verified.ts'
import { verifyBankIdEvidence } from './bankid/verify-evidence.ts'
import { toSignature, type Signature } from './list-signatures.ts'
import { selectKeptSignature, selectKeptSignaturesAfter, type KeptSignatureRow } from './queries.ts'
import { signaturePlace } from './signing.ts'

/**
 * How many signatures are read at once when all are verified. A batch ends early where it is large (`pageBytesMax`), so
 * that any number of signatures takes the same memory.
 */
export const verifiedSignaturesBatchMax = 100

/** A stored signature with its sealed evidence. */
export interface KeptSignature extends Signature {
  evidenceSealed: Buffer
}

type KeptContext = Pick<Context, 'pool' | 'keys'>

function toKept(row: KeptSignatureRow): KeptSignature {
  return { ...toSignature(row), evidenceSealed: row.evidence_sealed }
}

/** @throws 404 where there is no such signature */
export async function findKeptSignature(
  context: Pick<Context, 'pool'>,
  signatureId: string,
): Promise<KeptSignature> {
  const row = await selectKeptSignature.first(context.pool, { signatureId })
  if (row === undefined) throw notFound()
  return toKept(row)
}

/** All signatures, oldest first, a batch at a time. What is signed meanwhile comes at the end. */
export async function* everyKeptSignature(context: Pick<Context, 'pool'>): AsyncGenerator<KeptSignature> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await selectKeptSignaturesAfter.rows(context.pool, {
      after,
      limit: verifiedSignaturesBatchMax,
    })
    yield* rows.map(toKept)
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
export async function proveKeptSignature(
  context: KeptContext,
  kept: KeptSignature,
  roots: readonly X509Certificate[],
): Promise<ProvenSignature> {
  let evidence: string
  try {
    evidence = unseal(context.keys.master, kept.evidenceSealed, signaturePlace(kept.signatureId)).toString()
  } catch {
    throw new NotVerified('unreadable_evidence')
  }
  const { visibleText, record } = kept
  const recordSha256 = Buffer.from(kept.recordSha256, 'hex')
  const proven = verifyBankIdEvidence({ visibleText, record, recordSha256, evidence }, roots)
  const { personalNumber } = proven.verified.person
  if (!(await isMember(context, kept.member.memberId, personalNumber))) throw new NotVerified('other_person')
  return proven
}
