import { createHash, randomBytes } from 'node:crypto'
import { encodeName, type Issued, keyIdentifier, signDer } from './certificate.ts'
import {
  boolean,
  enumerated,
  explicit,
  generalizedTime,
  implicit,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
} from './der.ts'

export interface OcspAnswer {
  /** The signature that the answer belongs to, in base64 as it is delivered. */
  signature: string
  /** The certificate that is asked about. */
  about: Issued
  /** Who issued it. */
  issuer: Issued
  /** Who answers. */
  responder: Issued
  /** When, in milliseconds since 1970. */
  at: number
  status?: 'good' | 'revoked' | 'unknown'
}

const sha1 = '1.3.14.3.2.26'
const nonceType = '1.3.6.1.5.5.7.48.1.2'
const basicType = '1.3.6.1.5.5.7.48.1.1'
/** Of an answer: all is well, or another time, and then it says nothing else. */
const successful = 0
const tryLater = 3

function statusOf({ status = 'good', at }: OcspAnswer): Buffer {
  if (status === 'good') return implicit(0)
  if (status === 'unknown') return implicit(2)
  // The tag stands in the place of the sequence's own.
  return explicit(1, generalizedTime(new Date(at - 3_600_000)))
}

/**
 * An OCSP answer (RFC 6960) as BankID gives one with each completed order: made at the moment of signing, without a next
 * update, and with a nonce that is the SHA-1 of the signature's base64 followed by 12 random bytes. BankID writes those
 * 32 bytes into the extension as they are.
 *
 * @returns base64 of the DER
 */
export function makeOcspResponse(answer: OcspAnswer): string {
  const { signature, about, issuer, responder, at } = answer
  const now = generalizedTime(new Date(at))
  const certificateId = sequence(
    sequence(objectIdentifier(sha1), nothing),
    octetString(createHash('sha1').update(encodeName(issuer.name)).digest()),
    octetString(keyIdentifier(issuer.keys.publicKey)),
    integer(about.serial),
  )
  const nonce = Buffer.concat([createHash('sha1').update(signature).digest(), randomBytes(12)])
  const content = sequence(
    explicit(1, encodeName(responder.name)),
    now,
    sequence(sequence(certificateId, statusOf(answer), now)),
    explicit(1, sequence(sequence(objectIdentifier(nonceType), boolean(true), octetString(nonce)))),
  )
  const { algorithm, bits } = signDer(responder.keys.privateKey, 'sha256', content)
  const basic = sequence(content, algorithm, bits, explicit(0, sequence(responder.certificate.raw)))
  const response = sequence(
    enumerated(successful),
    explicit(0, sequence(objectIdentifier(basicType), octetString(basic))),
  )
  return response.toString('base64')
}

/** An answer that answers nothing. */
export function makeBusyOcspResponse(): string {
  return sequence(enumerated(tryLater)).toString('base64')
}
