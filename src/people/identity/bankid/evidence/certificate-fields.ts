import type { X509Certificate } from 'node:crypto'
import {
  contextTag,
  derTag,
  getBits,
  getContent,
  getMember,
  getMembers,
  getOid,
  readDer,
  type DerValue,
} from './der.ts'

export interface Extension {
  /** The object identifier's octets in hexadecimal. */
  oid: string
  critical: boolean
  value: Buffer
}

/** The fields of a certificate that `X509Certificate` does not show (RFC 5280, 4.1). */
export interface CertificateFields {
  /** Of the outer signature, its octets in hexadecimal. */
  signatureAlgorithmOid: string
  /** Names in their encoding. */
  issuer: Buffer
  subject: DerValue
  /** The integer's octets. */
  serial: Buffer
  /** The subject's public key, without its algorithm. */
  publicKey: Buffer
  extensions: Extension[]
}

const booleanTag = 0x01

/** `Extensions` of certificates and OCSP responses. @throws DerError */
export function readExtensions(value: DerValue): Extension[] {
  return getMembers(value).map((extension) => {
    const [oid, ...rest] = getMembers(extension)
    const criticality = rest.length === 2 ? getContent(rest.shift(), booleanTag) : undefined
    if (rest.length !== 1) getContent(undefined, derTag.octetString)
    return {
      oid: getOid(oid),
      critical: criticality !== undefined && criticality[0] !== 0,
      value: getContent(rest[0], derTag.octetString),
    }
  })
}

/** @throws DerError */
export function certificateFields(certificate: X509Certificate): CertificateFields {
  const [tbs, algorithm] = getMembers(readDer(certificate.raw))
  const [, serial, , issuer, , subject, keyInfo, ...optional] = getMembers(tbs)
  const extensions = optional.find(({ tag }) => tag === contextTag(3))
  return {
    signatureAlgorithmOid: getOid(getMembers(algorithm)[0]),
    issuer: issuer!.whole,
    subject: subject!,
    serial: getContent(serial, derTag.integer),
    publicKey: getBits(getMembers(keyInfo)[1]),
    extensions: extensions === undefined ? [] : readExtensions(getMember(extensions, contextTag(3))),
  }
}
