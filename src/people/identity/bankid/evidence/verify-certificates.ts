import type { X509Certificate } from 'node:crypto'
import { certificateFields, type CertificateFields } from './certificate-fields.ts'
import { getContent, derTag, getMembers, readDer } from './der.ts'
import { NotVerified } from './not-verified.ts'

/** Shorter RSA keys, in bits, are not trusted. */
export const rsaBitsMin = 2048

/** Octets of object identifiers in hexadecimal (RFC 5280, 4.2.1). */
const basicConstraintsOid = '551d13' // 2.5.29.19
const keyUsageOid = '551d0f' // 2.5.29.15
const understoodWhenCritical = new Set([
  basicConstraintsOid,
  keyUsageOid,
  '551d20', // 2.5.29.32, certificatePolicies: any will do
  '551d25', // 2.5.29.37, extKeyUsage
])

/** SHA-256, SHA-384 and SHA-512 with RSA (RFC 4055) and with ECDSA (RFC 5758). */
const signatureAlgorithmOids = new Set([
  '2a864886f70d01010b', // 1.2.840.113549.1.1.11
  '2a864886f70d01010c',
  '2a864886f70d01010d',
  '2a8648ce3d040302', // 1.2.840.10045.4.3.2
  '2a8648ce3d040303',
  '2a8648ce3d040304',
])

/** Of the first octet of a key usage (RFC 5280, 4.2.1.3). */
const digitalSignature = 0x80
const nonRepudiation = 0x40
const keyCertSign = 0x04

const booleanTag = 0x01

function untrusted(): never {
  throw new NotVerified('untrusted_certificate')
}

function findExtension(fields: CertificateFields, oid: string): Buffer | undefined {
  return fields.extensions.find((extension) => extension.oid === oid)?.value
}

function getKeyUsage(fields: CertificateFields): number {
  const usage = findExtension(fields, keyUsageOid)
  if (usage === undefined) return 0
  // The first octet is the number of unused bits of the last one.
  return getContent(readDer(usage), derTag.bitString)[1] ?? 0
}

/** How many authorities may be below; undefined if the certificate is not an authority's. */
function getAuthoritiesBelowMax(fields: CertificateFields): number | undefined {
  const constraints = findExtension(fields, basicConstraintsOid)
  if (constraints === undefined) return undefined
  const [isAuthority, pathLength] = getMembers(readDer(constraints))
  if (isAuthority === undefined || getContent(isAuthority, booleanTag)[0] === 0) return undefined
  return pathLength === undefined ? Infinity : getContent(pathLength, derTag.integer).readUInt8()
}

function requireSound(certificate: X509Certificate, fields: CertificateFields, at: Date): void {
  if (at < certificate.validFromDate || at > certificate.validToDate) {
    throw new NotVerified('expired_certificate')
  }
  if (fields.extensions.some(({ critical, oid }) => critical && !understoodWhenCritical.has(oid))) untrusted()
  const bits = certificate.publicKey.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && bits < rsaBitsMin) untrusted()
}

function wasIssuedBy(
  certificate: X509Certificate,
  fields: CertificateFields,
  issuer: X509Certificate,
): boolean {
  return (
    signatureAlgorithmOids.has(fields.signatureAlgorithmOid) &&
    certificate.checkIssued(issuer) &&
    certificate.verify(issuer.publicKey)
  )
}

/**
 * Requires that a certificate could sign at that time, and was issued by that authority.
 *
 * @throws NotVerified
 * @throws DerError
 */
export function requireSigner(signer: X509Certificate, issuer: X509Certificate, at: Date): CertificateFields {
  const fields = certificateFields(signer)
  requireSound(signer, fields, at)
  if (!wasIssuedBy(signer, fields, issuer)) untrusted()
  if (getAuthoritiesBelowMax(fields) !== undefined) untrusted()
  if ((getKeyUsage(fields) & (digitalSignature | nonRepudiation)) === 0) untrusted()
  return fields
}

/**
 * Verifies a chain of certificates (RFC 5280, 6.1; one with an unknown critical extension, such as name constraints, does
 * not hold): each was issued by the next and the last by a root, all were valid at that time, and those above the first
 * belong to authorities that may have so many below.
 *
 * @param chain the signer's certificate, then those above it, without the root and without unnecessary ones
 * @returns the signer's fields, who issued them, and the root
 * @throws NotVerified
 * @throws DerError
 */
export function verifyChain(
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  at: Date,
): { fields: CertificateFields; issuer: X509Certificate; root: X509Certificate } {
  const [signer, ...between] = chain
  const last = chain.at(-1)
  if (signer === undefined || last === undefined) return untrusted()
  const root = roots.find((each) => wasIssuedBy(last, certificateFields(last), each)) ?? untrusted()
  const authorities = [...between, root]
  authorities.forEach((authority, below) => {
    const fields = certificateFields(authority)
    requireSound(authority, fields, at)
    if ((getAuthoritiesBelowMax(fields) ?? -1) < below || (getKeyUsage(fields) & keyCertSign) === 0)
      untrusted()
    const issuer = authorities[below + 1]
    if (issuer !== undefined && !wasIssuedBy(authority, fields, issuer)) untrusted()
  })
  const issuer = authorities[0]!
  return { fields: requireSigner(signer, issuer, at), issuer, root }
}
