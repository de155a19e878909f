import { BitString, Boolean as AsnBoolean, Enumerated, GeneralizedTime, Integer } from 'asn1js'
import { createHash, randomBytes, sign } from 'node:crypto'
import { type Issued, toDerName, toKeyIdentifier } from './certificate.ts'
import { algorithm, embedded, explicit, implicitNull, octets, oid, sequence, toDer } from './der.ts'

export interface OcspAnswer {
  /** The signature that the response belongs to, in base64 as it is delivered. */
  signature: string
  /** The certificate whose status is given. */
  about: Issued
  /** The authority that issued it. */
  issuer: Issued
  /** Signs the response. */
  responder: Issued
  /** When, in milliseconds since 1970. */
  at: number
  status?: 'good' | 'revoked' | 'unknown'
}

const sha1 = '1.3.14.3.2.26'
const sha256WithRsa = '1.2.840.113549.1.1.11'
const nonceType = '1.3.6.1.5.5.7.48.1.2'
const basicType = '1.3.6.1.5.5.7.48.1.1'
/** Of `OCSPResponseStatus`. */
const successful = 0
const tryLater = 3

/** In whole seconds. */
function toTime(ms: number): GeneralizedTime {
  return new GeneralizedTime({ valueDate: new Date(Math.floor(ms / 1000) * 1000) })
}

function toStatus({ status = 'good', at }: OcspAnswer): ReturnType<typeof explicit> {
  if (status === 'good') return implicitNull(0)
  if (status === 'unknown') return implicitNull(2)
  return explicit(1, toTime(at - 3_600_000))
}

/**
 * An OCSP response (RFC 6960) as BankID delivers one with each completed order: created at the moment of signing, without
 * a next update, and with a nonce that is the SHA-1 of the signature's base64 followed by 12 random bytes. BankID puts
 * those 32 bytes into the extension without an octet string of their own.
 *
 * @returns base64 of the DER
 */
export async function createOcspResponse(answer: OcspAnswer): Promise<string> {
  const { signature, about, issuer, responder, at } = answer
  const certificateId = sequence(
    algorithm(sha1),
    octets(createHash('sha1').update(toDerName(issuer.name)).digest()),
    octets(await toKeyIdentifier(issuer.keys)),
    new Integer({ valueHex: Buffer.from(about.certificate.serialNumber, 'hex') }),
  )
  const nonce = Buffer.concat([createHash('sha1').update(signature).digest(), randomBytes(12)])
  const content = sequence(
    explicit(1, embedded(toDerName(responder.name))),
    toTime(at),
    sequence(sequence(certificateId, toStatus(answer), toTime(at))),
    explicit(1, sequence(sequence(oid(nonceType), new AsnBoolean({ value: true }), octets(nonce)))),
  )
  const basic = sequence(
    content,
    algorithm(sha256WithRsa),
    new BitString({ valueHex: sign('sha256', toDer(content), responder.keys.privateKey) }),
    explicit(0, sequence(embedded(responder.certificate.raw))),
  )
  const bytes = sequence(oid(basicType), octets(toDer(basic)))
  return toDer(sequence(new Enumerated({ value: successful }), explicit(0, bytes))).toString('base64')
}

/** A response without the status of any certificate. */
export function createBusyOcspResponse(): string {
  return toDer(sequence(new Enumerated({ value: tryLater }))).toString('base64')
}
