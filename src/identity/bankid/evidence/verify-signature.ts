import type { X509Certificate } from 'node:crypto'
import type { CertificateFields } from './certificate-fields.ts'
import { contentOf, membersOf, oidOf } from './der.ts'
import { NotVerified } from './not-verified.ts'
import { verifyChain } from './verify-certificates.ts'
import { readOcsp, verifyOcsp } from './verify-ocsp.ts'
import { verifyXmlSignature, type SignedContent } from './verify-xml-signature.ts'

/**
 * How long a signature may be in base64, in characters, which is three times what our longest text needs; and an OCSP
 * response. Longer ones are not read, and do not hold.
 */
export const signatureCharactersMax = 262_144
export const ocspCharactersMax = 16_384

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

/** Octets of the object identifiers of what a certificate says of a person, in hexadecimal (RFC 4519). */
const attributeOids = {
  personalNumber: '550405', // 2.5.4.5, serialNumber
  name: '550403', // 2.5.4.3, commonName
  givenName: '55042a', // 2.5.4.42
  surname: '550404', // 2.5.4.4
} as const

/** `UTF8String` and `PrintableString`. */
const stringTags = new Set([0x0c, 0x13])
const utf8 = new TextDecoder('utf-8', { fatal: true })

function personOf({ subject }: CertificateFields): VerifiedSignature['person'] {
  const attributes = membersOf(subject)
    .flatMap((set) => membersOf(set, 0x31))
    .map((pair) => membersOf(pair))
  const valueOf = (oid: string): string => {
    const [pair, ...others] = attributes.filter(([type]) => oidOf(type) === oid)
    const value = pair?.[1]
    if (value === undefined || others.length > 0 || !stringTags.has(value.tag)) {
      throw new NotVerified('malformed_person')
    }
    return utf8.decode(contentOf(value, value.tag))
  }
  const personalNumber = valueOf(attributeOids.personalNumber)
  if (!/^\d{12}$/.test(personalNumber)) throw new NotVerified('malformed_person')
  return {
    personalNumber,
    name: valueOf(attributeOids.name),
    givenName: valueOf(attributeOids.givenName),
    surname: valueOf(attributeOids.surname),
  }
}

function decodeXml(signature: string): string {
  const bytes = Buffer.from(signature, 'base64')
  try {
    if (bytes.toString('base64') === signature) return utf8.decode(bytes)
  } catch {
    // Told below.
  }
  throw new NotVerified('malformed_signature')
}

/** A signature that holds, with all that shows it. */
export interface SignatureProof {
  verified: VerifiedSignature
  content: SignedContent
  /** Which of the roots its certificates lead to. */
  root: X509Certificate
}

/**
 * Verifies a completed order's signature and OCSP response: the signature, its certificates up to one of the roots at
 * the moment of signing, and the OCSP response that was made for it then. It takes some milliseconds of one
 * processor.
 *
 * @throws NotVerified with the reason in a word
 */
export function proveBankIdSignature(given: SignatureToVerify): SignatureProof {
  const { signature, ocspResponse, roots, at } = given
  if (signature.length > signatureCharactersMax || ocspResponse.length > ocspCharactersMax) {
    throw new NotVerified('too_large')
  }
  const content = verifyXmlSignature(decodeXml(signature))
  const ocsp = readOcsp(ocspResponse)
  try {
    const { fields, issuer, root } = verifyChain(content.certificates, roots, ocsp.producedAt)
    verifyOcsp(ocsp, { signature, signer: fields, issuer, at })
    const { visible, nonVisible } = content
    const verified = {
      person: personOf(fields),
      visible,
      nonVisible,
      function: content.function,
      certificateSerial: fields.serial.toString('hex'),
      ocspAt: ocsp.producedAt,
    }
    return { verified, content, root }
  } catch (error) {
    // What is not of its form may fail anywhere: in its DER, its texts, or in Node's own reader.
    throw error instanceof NotVerified ? error : new NotVerified('malformed_certificate')
  }
}
