import type { X509Certificate } from 'node:crypto'
import type { CertificateFields } from './certificate-fields.ts'
import { getContent, getMembers, getOid } from './der.ts'
import { NotVerified } from './not-verified.ts'
import { verifyChain } from './verify-certificates.ts'
import { readOcsp, verifyOcsp } from './verify-ocsp.ts'
import { verifyXmlSignature, type SignedContent } from './verify-xml-signature.ts'

/**
 * How long a signature may be in base64, in characters: three times what our longest text needs; and an OCSP response. Longer
 * ones do not hold.
 */
export const signatureCharactersMax = 262_144
export const ocspCharactersMax = 16_384

export interface SignatureToVerify {
  /** `completionData.signature`: base64 of the XML. */
  signature: string
  /** `completionData.ocspResponse`: base64 of the DER. */
  ocspResponse: string
  /** Trusted roots: BankID's for signatures, not those for its servers. */
  roots: readonly X509Certificate[]
  /** When the order was completed, as far as the caller knows. */
  at: Date
}

interface VerifiedSignature {
  /** From the person's certificate. */
  person: { personalNumber: string; name: string; givenName: string; surname: string }
  /** What the person was shown; undefined if nothing was. */
  visible: { bytes: Buffer; format: 'plaintext' | 'simpleMarkdownV1' } | undefined
  /** What was signed without being shown; undefined if nothing was. */
  nonVisible: Buffer | undefined
  /** Whether the person signed in or signed. */
  function: 'Identification' | 'Signing'
  /** Of the person's certificate, hexadecimal. */
  certificateSerial: string
  /** When the certificate was found good: the time of signing. */
  ocspAt: Date
}

/** Octets of the object identifiers of a person's attributes in a certificate, in hexadecimal (RFC 4519). */
const attributeOids = {
  personalNumber: '550405', // 2.5.4.5, serialNumber
  name: '550403', // 2.5.4.3, commonName
  givenName: '55042a', // 2.5.4.42
  surname: '550404', // 2.5.4.4
} as const

/** `UTF8String` and `PrintableString`. */
const stringTags = new Set([0x0c, 0x13])
const utf8 = new TextDecoder('utf-8', { fatal: true })

function readPerson({ subject }: CertificateFields): VerifiedSignature['person'] {
  const attributes = getMembers(subject)
    .flatMap((set) => getMembers(set, 0x31))
    .map((pair) => getMembers(pair))
  const getValue = (oid: string): string => {
    const [pair, ...others] = attributes.filter(([type]) => getOid(type) === oid)
    const value = pair?.[1]
    if (value === undefined || others.length > 0 || !stringTags.has(value.tag)) {
      throw new NotVerified('malformed_person')
    }
    return utf8.decode(getContent(value, value.tag))
  }
  const personalNumber = getValue(attributeOids.personalNumber)
  if (!/^\d{12}$/.test(personalNumber)) throw new NotVerified('malformed_person')
  return {
    personalNumber,
    name: getValue(attributeOids.name),
    givenName: getValue(attributeOids.givenName),
    surname: getValue(attributeOids.surname),
  }
}

function decodeXml(signature: string): string {
  const bytes = Buffer.from(signature, 'base64')
  try {
    if (bytes.toString('base64') === signature) return utf8.decode(bytes)
  } catch {
    // Refused below.
  }
  throw new NotVerified('malformed_signature')
}

/** A signature that holds, with its proof. */
export interface SignatureProof {
  verified: VerifiedSignature
  content: SignedContent
  /** The root to which its certificates lead. */
  root: X509Certificate
}

/**
 * Verifies a completed order's signature, its certificates up to one of the roots at the time of signing, and the OCSP
 * response that was made for it then. It takes some milliseconds of processor time.
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
      person: readPerson(fields),
      visible,
      nonVisible,
      function: content.function,
      certificateSerial: fields.serial.toString('hex'),
      ocspAt: ocsp.producedAt,
    }
    return { verified, content, root }
  } catch (error) {
    // Malformed parts may fail anywhere: in their DER, their texts, or in Node's own parser.
    throw error instanceof NotVerified ? error : new NotVerified('malformed_certificate')
  }
}
