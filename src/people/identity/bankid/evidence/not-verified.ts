/** Why a signature with BankID does not hold, in one word without personal data. */
export type NotVerifiedReason =
  /** The stored evidence is not as this service writes it. */
  | 'malformed_evidence'
  /** It cannot be unsealed: under another key, or of another row. */
  | 'unreadable_evidence'
  | 'too_large'
  /** It was not checked in time. */
  | 'too_slow'
  /** BankID's answer is not as published, or belongs to another order. */
  | 'malformed_completion'
  | 'of_other_order'
  /** The signature: its form, what it covers, algorithms, digests and value. */
  | 'malformed_signature'
  | 'unexpected_structure'
  | 'unexpected_algorithm'
  | 'wrong_digest'
  | 'wrong_signature'
  /** The certificates, from the person's to a configured root. */
  | 'malformed_certificate'
  | 'untrusted_certificate'
  | 'expired_certificate'
  | 'malformed_person'
  /** The OCSP response, which says that the certificate was not revoked. */
  | 'malformed_ocsp'
  | 'untrusted_ocsp'
  | 'wrong_ocsp_signature'
  | 'ocsp_of_other_certificate'
  | 'ocsp_of_other_time'
  | 'ocsp_of_other_signature'
  | 'revoked_certificate'
  | 'unknown_certificate'
  /** What was signed is not what was requested. */
  | 'other_person'
  | 'other_text'
  | 'other_record'
  | 'other_function'

export class NotVerified extends Error {
  readonly reason: NotVerifiedReason

  constructor(reason: NotVerifiedReason) {
    super(`the signature does not hold: ${reason}`)
    this.reason = reason
  }
}
