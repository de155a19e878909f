import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import {
  bitString,
  boolean,
  certificateTime,
  explicit,
  implicit,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  printableString,
  sequence,
  set,
  utf8String,
} from './der.ts'

const attributeTypes = {
  C: '2.5.4.6',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  SN: '2.5.4.4',
  GN: '2.5.4.42',
  serialNumber: '2.5.4.5',
  name: '2.5.4.41',
  CN: '2.5.4.3',
} as const

/** A distinguished name, in the order in which it stands in a certificate. */
export type Name = readonly (readonly [keyof typeof attributeTypes, string])[]

export interface Keys {
  privateKey: KeyObject
  publicKey: KeyObject
}

/** A certificate, and what issues with it. */
export interface Issued {
  certificate: X509Certificate
  /** As in `subject`, which X509Certificate only has as text. */
  name: Name
  /** Unsigned, big-endian. */
  serial: Buffer
  keys: Keys
}

export function encodeName(name: Name): Buffer {
  const parts = name.map(([type, value]) =>
    set(
      sequence(
        objectIdentifier(attributeTypes[type]),
        type === 'C' || type === 'serialNumber' ? printableString(value) : utf8String(value),
      ),
    ),
  )
  return sequence(...parts)
}

/** SHA-1 of the key's bits, without what says which kind of key it is (RFC 5280 section 4.2.1.2). */
export function keyIdentifier(publicKey: KeyObject): Buffer {
  const bits =
    publicKey.asymmetricKeyType === 'rsa'
      ? publicKey.export({ type: 'pkcs1', format: 'der' })
      : publicKey.export({ type: 'spki', format: 'der' }).subarray(-65)
  return createHash('sha1').update(bits).digest()
}

type Hash = 'sha256' | 'sha512'

/** The algorithm, and the signature of some bytes, as a certificate and an OCSP answer hold them. */
export function signDer(key: KeyObject, hash: Hash, bytes: Uint8Array): { algorithm: Buffer; bits: Buffer } {
  const algorithm =
    key.asymmetricKeyType === 'rsa'
      ? sequence(objectIdentifier(`1.2.840.113549.1.1.${hash === 'sha256' ? 11 : 13}`), nothing)
      : sequence(objectIdentifier(`1.2.840.10045.4.3.${hash === 'sha256' ? 2 : 4}`))
  return { algorithm, bits: bitString(sign(hash, bytes, key)) }
}

/** Bits of a key's usage, as RFC 5280 section 4.2.1.3 counts them. */
const keyUsages = {
  digitalSignature: [0x80, 7],
  nonRepudiation: [0x40, 6],
  certificates: [0x06, 1],
} as const

const extendedUsages = {
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  OCSPSigning: '1.3.6.1.5.5.7.3.9',
} as const

function extension(oid: string, value: Uint8Array, isCritical = false): Buffer {
  return sequence(objectIdentifier(oid), isCritical ? boolean(true) : Buffer.alloc(0), octetString(value))
}

export interface CertificateRequest {
  name: Name
  keys: Keys
  /** Signs itself where there is none. */
  issuer?: Issued
  notBefore: Date
  notAfter: Date
  /** What it is signed with: SHA-256 unless said. */
  hash?: Hash
  usage: keyof typeof keyUsages
  isAuthority?: boolean
  extended?: keyof typeof extendedUsages
  policy?: string
  /** Where its status could be asked. */
  ocspUrl?: string
  /** The responder itself is not asked about (RFC 6960 section 4.2.2.2.1). */
  isNotChecked?: boolean
  /** What a server is called: DNS names, and addresses as four bytes. */
  hosts?: readonly (string | Uint8Array)[]
}

function extensionsOf(request: CertificateRequest): Buffer {
  const { keys, issuer, usage, isAuthority = false, extended, policy, ocspUrl, isNotChecked, hosts } = request
  const [bits, unused] = keyUsages[usage]
  const list = [
    extension('2.5.29.14', octetString(keyIdentifier(keys.publicKey))),
    extension('2.5.29.35', sequence(implicit(0, keyIdentifier((issuer?.keys ?? keys).publicKey)))),
    extension('2.5.29.15', bitString(Buffer.from([bits]), unused), true),
  ]
  if (isAuthority) list.push(extension('2.5.29.19', sequence(boolean(true)), true))
  if (extended !== undefined) {
    const isCritical = extended === 'OCSPSigning'
    list.push(extension('2.5.29.37', sequence(objectIdentifier(extendedUsages[extended])), isCritical))
  }
  if (policy !== undefined) {
    list.push(extension('2.5.29.32', sequence(sequence(objectIdentifier(policy)))))
  }
  if (ocspUrl !== undefined) {
    const access = sequence(objectIdentifier('1.3.6.1.5.5.7.48.1'), implicit(6, Buffer.from(ocspUrl)))
    list.push(extension('1.3.6.1.5.5.7.1.1', sequence(access)))
  }
  if (isNotChecked === true) list.push(extension('1.3.6.1.5.5.7.48.1.5', nothing))
  if (hosts !== undefined) {
    const names = hosts.map((host) =>
      typeof host === 'string' ? implicit(2, Buffer.from(host)) : implicit(7, host),
    )
    list.push(extension('2.5.29.17', sequence(...names)))
  }
  return sequence(...list)
}

/** Issues an X.509 certificate (RFC 5280). */
export function issueCertificate(request: CertificateRequest): Issued {
  const { name, keys, issuer, notBefore, notAfter, hash = 'sha256' } = request
  const signer = issuer?.keys ?? keys
  const serial = randomBytes(8)
  // A serial number is positive and has no leading zero.
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const { algorithm } = signDer(signer.privateKey, hash, Buffer.alloc(0))
  const content = sequence(
    explicit(0, integer(2)),
    integer(serial),
    algorithm,
    encodeName(issuer?.name ?? name),
    sequence(certificateTime(notBefore), certificateTime(notAfter)),
    encodeName(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, extensionsOf(request)),
  )
  const certificate = new X509Certificate(
    sequence(content, algorithm, signDer(signer.privateKey, hash, content).bits),
  )
  return { certificate, name, serial, keys }
}

/** As a file of certificates has it. */
export function toPem(...issued: readonly Issued[]): string {
  return issued.map(({ certificate }) => certificate.toString()).join('')
}
