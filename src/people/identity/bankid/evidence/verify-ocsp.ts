import { createHash, verify, X509Certificate } from 'node:crypto'
import {
  certificateFields,
  readExtensions,
  type CertificateFields,
  type Extension,
} from './certificate-fields.ts'
import {
  getBits,
  getContent,
  contextTag,
  DerError,
  derTag,
  getMembers,
  getMember,
  getOid,
  readDer,
  readTime,
  type DerValue,
} from './der.ts'
import { NotVerified } from './not-verified.ts'
import { requireSigner } from './verify-certificates.ts'

/**
 * How far, in milliseconds, the times of an OCSP response may lie from when the order was completed: BankID keeps a
 * completed order for three minutes, and clocks differ. Beyond it the signature does not hold.
 */
export const ocspToleranceMs = 10 * 60_000

/** Octets of object identifiers in hexadecimal (RFC 6960). */
const basicResponseOid = '2b0601050507300101' // 1.3.6.1.5.5.7.48.1.1
const nonceOid = '2b0601050507300102' // 1.3.6.1.5.5.7.48.1.2
const extendedKeyUsageOid = '551d25' // 2.5.29.37
const ocspSigningOid = '2b06010505070309' // 1.3.6.1.5.5.7.3.9

/** Hashes by whole algorithm identifiers with RSA, in hexadecimal (RFC 4055, 5). */
const responseHashes: Record<string, string | undefined> = {
  '300d06092a864886f70d01010b0500': 'sha256',
  '300d06092a864886f70d01010c0500': 'sha384',
  '300d06092a864886f70d01010d0500': 'sha512',
}

/** By the octets of their object identifiers. SHA-1 serves only to find a certificate here. */
const certificateIdHashes: Record<string, string | undefined> = {
  '2b0e03021a': 'sha1', // 1.3.14.3.2.26
  '608648016503040201': 'sha256', // 2.16.840.1.101.3.4.2.1
}

/** BankID's nonce: SHA-1 of the signature's base64, then 12 random octets. */
const nonceBytes = 32
const nonceHashBytes = 20

/** A well-formed response, not yet verified. */
export interface OcspResponse {
  /** What is signed. */
  signed: Buffer
  hash: string
  signature: Buffer
  /** The responder's, unless it is the authority itself. */
  certificate: X509Certificate | undefined
  /** By its name, or by a hash of its key. */
  responder: DerValue
  producedAt: Date
  certificateId: DerValue
  status: DerValue
  thisUpdate: Date
  nextUpdate: Date | undefined
  extensions: Extension[]
}

/** The certificate in question, and the signature that contains it. */
export interface OcspQuestion {
  /** Base64 of the signature for which the response was made: these characters are hashed. */
  signature: string
  signer: CertificateFields
  issuer: X509Certificate
  /** When the order was completed. */
  at: Date
}

function toHash(algorithm: string, octets: Buffer): Buffer {
  return createHash(algorithm).update(octets).digest()
}

/** Removes the first value if it has that tag. */
function shiftIf(values: DerValue[], tag: number): DerValue | undefined {
  return values[0]?.tag === tag ? values.shift() : undefined
}

function requireNone(values: DerValue[]): void {
  if (values.length > 0) throw new DerError()
}

function readCertificate(certificates: DerValue | undefined): X509Certificate | undefined {
  if (certificates === undefined) return undefined
  const { whole } = getMember(getMember(certificates, contextTag(0)), derTag.sequence)
  const certificate = new X509Certificate(whole)
  if (!certificate.raw.equals(whole)) throw new DerError()
  return certificate
}

/**
 * Reads an OCSP response (RFC 6960, 4.2.1) with the status of one certificate.
 *
 * @param response base64 of the DER
 * @throws NotVerified `malformed_ocsp` if it is anything else, or an error
 */
export function readOcsp(response: string): OcspResponse {
  const der = Buffer.from(response, 'base64')
  try {
    if (der.toString('base64') !== response) throw new DerError()
    const [success, outer, ...afterOuter] = getMembers(readDer(der))
    if (!getContent(success, derTag.enumerated).equals(Buffer.of(0))) throw new DerError()
    const [type, octets, ...afterOctets] = getMembers(getMember(outer, contextTag(0)))
    if (getOid(type) !== basicResponseOid) throw new DerError()
    const [signed, algorithm, signature, certificates, ...afterBasic] = getMembers(
      readDer(getContent(octets, derTag.octetString)),
    )
    const hash = responseHashes[algorithm?.whole.toString('hex') ?? '']
    if (hash === undefined) throw new DerError()

    const data = getMembers(signed)
    const responder = shiftIf(data, contextTag(1)) ?? shiftIf(data, contextTag(2))
    const producedAt = readTime(data.shift())
    const [certificateId, status, thisUpdate, ...single] = getMembers(
      getMember(data.shift(), derTag.sequence),
    )
    const nextUpdate = shiftIf(single, contextTag(0))
    const extensions = shiftIf(data, contextTag(1))
    requireNone([...afterOuter, ...afterOctets, ...afterBasic, ...data, ...single])
    return {
      signed: signed!.whole,
      hash,
      signature: getBits(signature),
      certificate: readCertificate(certificates),
      responder: responder!,
      producedAt,
      certificateId: certificateId!,
      status: status!,
      thisUpdate: readTime(thisUpdate),
      nextUpdate: nextUpdate && readTime(getMember(nextUpdate, contextTag(0))),
      extensions: extensions === undefined ? [] : readExtensions(getMember(extensions, contextTag(1))),
    }
  } catch {
    throw new NotVerified('malformed_ocsp')
  }
}

/** The authority itself, or a responder to which it issued a certificate for this purpose (RFC 6960, 4.2.2.2). */
function findResponder({ certificate, producedAt }: OcspResponse, issuer: X509Certificate): X509Certificate {
  if (certificate === undefined || certificate.raw.equals(issuer.raw)) return issuer
  let fields: CertificateFields
  try {
    fields = requireSigner(certificate, issuer, producedAt)
  } catch {
    throw new NotVerified('untrusted_ocsp')
  }
  const usages = fields.extensions.find(({ oid }) => oid === extendedKeyUsageOid)
  const isResponder =
    usages !== undefined &&
    getMembers(readDer(usages.value)).some((usage) => getOid(usage) === ocspSigningOid)
  if (!isResponder) throw new NotVerified('untrusted_ocsp')
  return certificate
}

function checkSignature(response: OcspResponse, issuer: X509Certificate): void {
  const certificate = findResponder(response, issuer)
  const { subject, publicKey } = certificateFields(certificate)
  const { responder, hash, signed, signature } = response
  const isNamed =
    responder.tag === contextTag(1)
      ? responder.content.equals(subject.whole)
      : getContent(getMember(responder, contextTag(2)), derTag.octetString).equals(toHash('sha1', publicKey))
  if (!isNamed || certificate.publicKey.asymmetricKeyType !== 'rsa') throw new NotVerified('untrusted_ocsp')
  if (!verify(hash, signed, certificate.publicKey, signature)) throw new NotVerified('wrong_ocsp_signature')
}

/** The response identifies a certificate by its number, and its issuer by hashes of name and key. */
function checkCertificateId(certificateId: DerValue, { signer, issuer }: OcspQuestion): void {
  const [algorithm, name, key, serial, ...others] = getMembers(certificateId)
  requireNone(others)
  const hash = certificateIdHashes[getOid(getMembers(algorithm)[0])]
  const isSigners =
    hash !== undefined &&
    getContent(name, derTag.octetString).equals(toHash(hash, signer.issuer)) &&
    getContent(key, derTag.octetString).equals(toHash(hash, certificateFields(issuer).publicKey)) &&
    getContent(serial, derTag.integer).equals(signer.serial)
  if (!isSigners) throw new NotVerified('ocsp_of_other_certificate')
}

function checkStatus({ tag, content }: DerValue): void {
  if (tag === contextTag(1)) throw new NotVerified('revoked_certificate')
  if (tag !== contextTag(0, 'primitive') || content.length > 0) throw new NotVerified('unknown_certificate')
}

function checkTimes({ producedAt, thisUpdate, nextUpdate }: OcspResponse, at: Date): void {
  const isNear = (time: Date): boolean => Math.abs(time.getTime() - at.getTime()) <= ocspToleranceMs
  const isOver = nextUpdate !== undefined && nextUpdate.getTime() < at.getTime() - ocspToleranceMs
  if (!isNear(producedAt) || !isNear(thisUpdate) || thisUpdate > producedAt || isOver) {
    throw new NotVerified('ocsp_of_other_time')
  }
}

/** BankID writes the nonce as it is, while RFC 8954 has it within an octet string: both are accepted. */
function checkNonce(extensions: Extension[], signature: string): void {
  const [nonce, ...others] = extensions.filter(({ oid, critical }) => oid === nonceOid || critical)
  if (nonce?.oid !== nonceOid || others.length > 0) throw new NotVerified('malformed_ocsp')
  const bytes =
    nonce.value.length === nonceBytes ? nonce.value : getContent(readDer(nonce.value), derTag.octetString)
  const hash = toHash('sha1', Buffer.from(signature))
  if (bytes.length !== nonceBytes || !bytes.subarray(0, nonceHashBytes).equals(hash)) {
    throw new NotVerified('ocsp_of_other_signature')
  }
}

/**
 * Verifies that an OCSP response comes from the authority which issued the signer's certificate, or a responder of it, says that
 * the certificate was good at the time of the signature, and was made for this signature.
 *
 * @throws NotVerified
 */
export function verifyOcsp(response: OcspResponse, question: OcspQuestion): void {
  try {
    checkSignature(response, question.issuer)
    checkCertificateId(response.certificateId, question)
    checkStatus(response.status)
    checkTimes(response, question.at)
    checkNonce(response.extensions, question.signature)
  } catch (error) {
    throw error instanceof DerError ? new NotVerified('malformed_ocsp') : error
  }
}
