import type { X509Certificate } from 'node:crypto'
import {
  bitsOf,
  contentOf,
  contextTag,
  derTag,
  membersOf,
  memberOf,
  oidOf,
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
  /** Names as they are encoded. */
  issuer: Buffer
  subject: DerValue
  /** The integer's octets. */
  serial: Buffer
  /** The subject's public key, without its algorithm. */
  publicKey: Buffer
  extensions: Extension[]
}

const booleanTag = 0x01

/** What stands as `Extensions` in certificates and OCSP responses. @throws DerError */
export function extensionsOf(value: DerValue): Extension[] {
  return membersOf(value).map((extension) => {
    const [oid, ...rest] = membersOf(extension)
    const criticality = rest.length === 2 ? contentOf(rest.shift(), booleanTag) : undefined
    if (rest.length !== 1) contentOf(undefined, derTag.octetString)
    return {
      oid: oidOf(oid),
      critical: criticality !== undefined && criticality[0] !== 0,
      value: contentOf(rest[0], derTag.octetString),
    }
  })
}

/** @throws DerError */
export function certificateFields(certificate: X509Certificate): CertificateFields {
  const [tbs, algorithm] = membersOf(readDer(certificate.raw))
  const [, serial, , issuer, , subject, keyInfo, ...optional] = membersOf(tbs)
  const extensions = optional.find(({ tag }) => tag === contextTag(3))
  return {
    signatureAlgorithmOid: oidOf(membersOf(algorithm)[0]),
    issuer: issuer!.whole,
    subject: subject!,
    serial: contentOf(serial, derTag.integer),
    publicKey: bitsOf(membersOf(keyInfo)[1]),
    extensions: extensions === undefined ? [] : extensionsOf(memberOf(extensions, contextTag(3))),
  }
}
