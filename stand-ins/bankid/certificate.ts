import { type KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import * as x509 from './x509.ts'

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

/** A distinguished name, in the order of the certificate. */
export type Name = readonly (readonly [keyof typeof attributeTypes, string])[]

export interface Keys {
  privateKey: KeyObject
  publicKey: KeyObject
}

/** A certificate with the key pair that it certifies. */
export interface Issued {
  certificate: X509Certificate
  /** The subject, which X509Certificate only has as text. */
  name: Name
  keys: Keys
}

function toX509Name(name: Name): x509.Name {
  return new x509.Name(
    name.map(([type, value]) => ({
      [attributeTypes[type]]: [
        type === 'C' || type === 'serialNumber' ? { printableString: value } : { utf8String: value },
      ],
    })),
  )
}

export function toDerName(name: Name): Buffer {
  return Buffer.from(toX509Name(name).toArrayBuffer())
}

function toSpki({ publicKey }: Keys): Buffer<ArrayBuffer> {
  return Buffer.from(publicKey.export({ type: 'spki', format: 'der' }))
}

/** SHA-1 of the subject public key's bits (RFC 5280 section 4.2.1.2). */
export async function toKeyIdentifier(keys: Keys): Promise<Buffer> {
  return Buffer.from(await new x509.PublicKey(toSpki(keys)).getKeyIdentifier())
}

type Hash = 'SHA-256' | 'SHA-512'

function toSigningKey(
  { privateKey }: Keys,
  hash: Hash,
): x509.X509CertificateCreateWithKeyParams['signingKey'] {
  const algorithm =
    privateKey.asymmetricKeyType === 'rsa'
      ? { name: 'RSASSA-PKCS1-v1_5', hash }
      : { name: 'ECDSA', namedCurve: 'P-256' }
  return privateKey.toCryptoKey(algorithm, false, ['sign'])
}

export interface CertificateRequest {
  name: Name
  keys: Keys
  /** Undefined: the certificate is signed with its own key. */
  issuer?: Pick<Issued, 'name' | 'keys'>
  notBefore: Date
  notAfter: Date
  /** Of the signature; SHA-256 by default. */
  hash?: Hash
  /** All but the identifiers of the subject's and the issuer's key. */
  extensions: readonly x509.Extension[]
}

/** Issues an X.509 certificate (RFC 5280). */
export async function issueCertificate(request: CertificateRequest): Promise<Issued> {
  const { name, keys, issuer = request, notBefore, notAfter, hash = 'SHA-256', extensions } = request
  const serial = randomBytes(8)
  // A serial number is positive and has no leading zero.
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const created = await x509.X509CertificateGenerator.create({
    serialNumber: serial.toString('hex'),
    subject: toX509Name(name),
    issuer: toX509Name(issuer.name),
    notBefore,
    notAfter,
    publicKey: toSpki(keys),
    signingKey: toSigningKey(issuer.keys, hash),
    signingAlgorithm: { name: 'ECDSA', hash },
    extensions: [
      new x509.SubjectKeyIdentifierExtension((await toKeyIdentifier(keys)).toString('hex')),
      new x509.AuthorityKeyIdentifierExtension((await toKeyIdentifier(issuer.keys)).toString('hex')),
      ...extensions,
    ],
  })
  return { certificate: new X509Certificate(Buffer.from(created.rawData)), name, keys }
}

/** A PEM file with these certificates. */
export function toPem(...issued: readonly Issued[]): string {
  return issued.map(({ certificate }) => certificate.toString()).join('')
}
