import type { X509Certificate } from 'node:crypto'

export interface SignatureToVerify {
  /** `completionData.signature`, as it came: base64 of the XML. */
  signature: string
  /** `completionData.ocspResponse`, as it came: base64 of the DER. */
  ocspResponse: string
  /** Whose certificates are trusted: BankID's roots of signatures, not those of its servers. */
  roots: readonly X509Certificate[]
  /** When the order was completed, as far as the caller knows. */
  at: Date
}

export interface VerifiedSignature {
  /** As the person's certificate says. */
  person: { personalNumber: string; name: string; givenName: string; surname: string }
  /** What the person was shown; undefined where nothing was. */
  visible: { bytes: Buffer; format: 'plaintext' | 'simpleMarkdownV1' } | undefined
  /** What was signed without being shown; undefined where there was nothing. */
  nonVisible: Buffer | undefined
  /** Whether the person signed in or signed. */
  function: 'Identification' | 'Signing'
  /** Of the person's certificate, hexadecimal. */
  certificateSerial: string
  /** When the certificate was found good: the moment of signing. */
  ocspAt: Date
}

/**
 * Verifies a completed order's signature and OCSP response.
 *
 * @throws NotVerified with the reason in a word
 */
export declare function verifyBankIdSignature(given: SignatureToVerify): Promise<VerifiedSignature>
