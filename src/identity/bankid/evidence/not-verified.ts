/** Why a signature with BankID does not hold, in one word that holds no personal data. */
export type NotVerifiedReason =
  /** The kept evidence is not of the form that this service writes. */
  | 'malformed_evidence'
  /** It does not open: another key, or not in its place. */
  | 'unreadable_evidence'
  | 'too_large'
  /** It was not checked in time. */
  | 'too_slow'
  /** What BankID answered: it is not of the form that is published, or belongs to another order. */
  | 'malformed_completion'
  | 'of_other_order'
  /** The signature: its form, what it covers, the algorithms, the digests and its value. */
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
  /** What was signed is not what was asked for. */
  | 'other_person'
  | 'other_text'
  | 'other_record'
  | 'other_function'

/** A signature, its certificates, its OCSP response or the kept evidence of it does not hold. */
export class NotVerified extends Error {
  readonly reason: NotVerifiedReason

  constructor(reason: NotVerifiedReason) {
    super(`the signature does not hold: ${reason}`)
    this.reason = reason
  }
}
