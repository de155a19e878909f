import { createHash, type X509Certificate } from 'node:crypto'
import { readBankIdEvidence, type BankIdEvidence } from './evidence.ts'
import { NotVerified } from './not-verified.ts'
import { toSimpleMarkdown } from '../simple-markdown.ts'
import { proveBankIdSignature, type SignatureProof } from './verify-signature.ts'

/** A stored signature, with its evidence unsealed. */
export interface SignatureWithEvidence {
  visibleText: string
  record: string
  recordSha256: Uint8Array
  /** As `writeBankIdEvidence` wrote it. */
  evidence: string
}

/**
 * Verifies the evidence of a stored signature again, as of its signing, and that its text, record, hash and person belong
 * together. Whether that person is the member who is recorded as the signer is left to the caller.
 *
 * @throws NotVerified with the reason in a word
 */
export function verifyBankIdEvidence(
  stored: SignatureWithEvidence,
  roots: readonly X509Certificate[],
): SignatureProof & { evidence: BankIdEvidence } {
  const evidence = readBankIdEvidence(stored.evidence)
  const proof = proveBankIdSignature({
    signature: evidence.signature,
    ocspResponse: evidence.ocsp_response,
    roots,
    at: new Date(evidence.completed_at),
  })
  const { person, visible, nonVisible, function: purpose } = proof.verified
  if (purpose !== 'Signing') throw new NotVerified('other_function')
  if (person.personalNumber !== evidence.user.personalNumber) throw new NotVerified('other_person')
  const shown = toSimpleMarkdown(stored.visibleText)
  const isText =
    visible?.format === 'simpleMarkdownV1' &&
    visible.bytes.equals(Buffer.from(shown)) &&
    evidence.visible_text === shown
  if (!isText) throw new NotVerified('other_text')
  const hash = createHash('sha256').update(stored.record).digest()
  const isRecord =
    hash.equals(stored.recordSha256) &&
    nonVisible?.equals(hash) === true &&
    evidence.non_visible_data === hash.toString('hex')
  if (!isRecord) throw new NotVerified('other_record')
  return { ...proof, evidence }
}
