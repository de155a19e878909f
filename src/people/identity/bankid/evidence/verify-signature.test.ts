import { createHash, sign, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { Authority, type Bank } from '../../../../../stand-ins/bankid/authority.ts'
import type { Issued } from '../../../../../stand-ins/bankid/certificate.ts'
import { createCompletionData, type Tampering } from '../../../../../stand-ins/bankid/completion.ts'
import { createOcspResponse } from '../../../../../stand-ins/bankid/ocsp-response.ts'
import { NotVerified, type NotVerifiedReason } from './not-verified.ts'
import { ocspToleranceMs } from './verify-ocsp.ts'
import {
  ocspCharactersMax,
  proveBankIdSignature,
  signatureCharactersMax,
  type SignatureToVerify,
} from './verify-signature.ts'

/** Whole seconds, as the times of an OCSP response. */
const at = new Date('2026-03-02T09:30:00.000Z')
const authority = new Authority(() => at.getTime())
const text = '## Allow Räknestugan\n+ to read sales'
const hash = createHash('sha256').update('{"a":1}').digest()
const person = { personalNumber: '197001011233', name: 'Åsa Öberg' }

let bank: Bank
let signer: Issued
let roots: X509Certificate[]
let relyingParty: Issued
beforeAll(async () => {
  bank = await authority.bank()
  signer = await authority.person(person, 'signing')
  roots = [(await authority.signingRoot()).certificate]
  relyingParty = await authority.relyingParty()
})

const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64')

const complete = async (
  kind: 'auth' | 'sign' = 'sign',
  tamper?: Tampering,
  of: Partial<Parameters<typeof createCompletionData>[1]> = {},
): Promise<SignatureToVerify> => {
  const { signature = '', ocspResponse = '' } = await createCompletionData(authority, {
    kind,
    person,
    relyingParty,
    visible: base64(text),
    format: 'simpleMarkdownV1',
    nonVisible: base64(hash),
    ipAddress: '192.0.2.7',
    at: at.getTime(),
    tamper,
    ...of,
  })
  return { signature, ocspResponse, roots, at }
}

/** Why it does not hold; `holds` where it does. */
const getReason = async (given: SignatureToVerify): Promise<NotVerifiedReason | 'holds'> => {
  try {
    proveBankIdSignature(given)
    return 'holds'
  } catch (error) {
    if (error instanceof NotVerified) return error.reason
    throw error
  }
}

/** The response that would have been made for a signature, had it been this one. */
const withOcspFor = async (
  signature: string,
  options: Partial<Parameters<typeof createOcspResponse>[0]> = {},
) => ({
  signature,
  ocspResponse: await createOcspResponse({
    signature,
    about: signer,
    issuer: bank.customers,
    responder: bank.responder,
    at: at.getTime(),
    ...options,
  }),
  roots,
  at,
})

describe('a valid signature', () => {
  test('contains the signer, the text, the hash and the time', async () => {
    expect(proveBankIdSignature(await complete()).verified).toEqual({
      person: { ...person, givenName: 'Åsa', surname: 'Öberg' },
      visible: { bytes: Buffer.from(text), format: 'simpleMarkdownV1' },
      nonVisible: hash,
      function: 'Signing',
      certificateSerial: signer.certificate.serialNumber.toLowerCase(),
      ocspAt: at,
    })
  })

  test('may be a sign-in without a text', async () => {
    const given = await complete('auth', undefined, { visible: undefined, nonVisible: undefined })
    const { verified } = proveBankIdSignature(given)
    expect(verified).toMatchObject({ function: 'Identification', visible: undefined, nonVisible: undefined })
  })

  test('has plain text or text with markup', async () => {
    const given = await complete('sign', undefined, { format: undefined })
    expect(proveBankIdSignature(given).verified.visible).toEqual({
      bytes: Buffer.from(text),
      format: 'plaintext',
    })
  })

  test('was found good within some minutes of the order’s completion', async () => {
    const given = await complete()
    for (const sign of [-1, 1]) {
      const moved = (ms: number) => ({ ...given, at: new Date(at.getTime() + sign * ms) })
      expect(await getReason(moved(ocspToleranceMs))).toBe('holds')
      expect(await getReason(moved(ocspToleranceMs + 1))).toBe('ocsp_of_other_time')
    }
  })

  test('may have a response of the authority that issued the certificate', async () => {
    const { signature } = await complete()
    expect(await getReason(await withOcspFor(signature, { responder: bank.customers }))).toBe('holds')
  })

  test('covers the bytes that another implementation of XML signatures finds', async () => {
    const { content } = proveBankIdSignature(await complete())
    const xml = Buffer.from((await complete()).signature, 'base64').toString()
    const other = new SignedXml({ publicCert: signer.certificate.toString() })
    other.loadSignature(xml)
    expect(other.checkSignature(xml)).toBe(true)
    expect(other.getSignedReferences()).toHaveLength(2)
    expect(other.getSignedReferences()[1]).toBe(content.keyInfo)
  })
})

describe('an invalid signature is refused with its reason', () => {
  test.each<[Tampering, NotVerifiedReason]>([
    ['signature', 'wrong_signature'],
    ['text-afterwards', 'wrong_digest'],
    ['wrapped', 'unexpected_structure'],
    ['certificate-afterwards', 'wrong_digest'],
    ['certificate-expired', 'expired_certificate'],
    ['other-root', 'untrusted_certificate'],
    ['certificate-revoked', 'revoked_certificate'],
    ['ocsp-unknown', 'unknown_certificate'],
    ['ocsp-stale', 'ocsp_of_other_time'],
    ['ocsp-other-signer', 'untrusted_ocsp'],
    ['ocsp-no-responder', 'untrusted_ocsp'],
    ['ocsp-other-certificate', 'ocsp_of_other_certificate'],
    ['ocsp-other-signature', 'ocsp_of_other_signature'],
    ['ocsp-busy', 'malformed_ocsp'],
    ['not-ocsp', 'malformed_ocsp'],
    ['no-ocsp', 'malformed_ocsp'],
    ['not-base64', 'malformed_signature'],
    ['not-xml', 'malformed_signature'],
    ['no-signature', 'malformed_signature'],
    ['doctype', 'malformed_signature'],
  ])('%s: %s', async (tamper, reason) => {
    expect(await getReason(await complete('sign', tamper))).toBe(reason)
  })

  test('no root, and unrelated roots', async () => {
    const given = await complete()
    expect(await getReason({ ...given, roots: [] })).toBe('untrusted_certificate')
    const others = [(await authority.connectionRoot()).certificate, bank.responder.certificate]
    expect(await getReason({ ...given, roots: others })).toBe('untrusted_certificate')
    expect(await getReason({ ...given, roots: [...others, ...roots] })).toBe('holds')
  })

  test('the response of another signature by the same person at the same moment', async () => {
    const [one, other] = [await complete(), await complete()]
    expect(await getReason({ ...one, ocspResponse: other.ocspResponse })).toBe('ocsp_of_other_signature')
  })

  test('a response from the future, and a responder that may no longer respond', async () => {
    const { signature } = await complete()
    const later = new Date(at.getTime() + 400 * 86_400_000)
    expect(await getReason(await withOcspFor(signature, { at: later.getTime() }))).toBe('expired_certificate')
    const soon = new Date(at.getTime() + 200 * 86_400_000)
    expect(await getReason({ ...(await withOcspFor(signature, { at: soon.getTime() })), at: soon })).toBe(
      'untrusted_ocsp',
    )
  })

  test('one bit of the signature’s document changed, anywhere', async () => {
    const document = Buffer.from((await complete()).signature, 'base64')
    for (let place = 0; place < document.length; place += 41) {
      const changed = Buffer.from(document)
      changed[place]! ^= 1 << (place % 8)
      // With the response that BankID would have made for it.
      expect(await getReason(await withOcspFor(base64(changed))), `byte ${place}`).not.toBe('holds')
    }
  })

  test('one bit of the OCSP response changed, anywhere', async () => {
    const given = await complete()
    const response = Buffer.from(given.ocspResponse, 'base64')
    for (let place = 0; place < response.length; place += 5) {
      const changed = Buffer.from(response)
      changed[place]! ^= 1 << (place % 8)
      const reason = await getReason({ ...given, ocspResponse: base64(changed) })
      expect(reason, `byte ${place}`).not.toBe('holds')
    }
  })

  test('a response in the name of another responder than the one that signed it', async () => {
    const { signature } = await complete()
    const responder = { ...bank.responder, name: bank.customers.name }
    expect(await getReason(await withOcspFor(signature, { responder }))).toBe('untrusted_ocsp')
  })

  test('a signature value of incomplete octets in the response', async () => {
    const given = await complete()
    const response = Buffer.from(given.ocspResponse, 'base64')
    // A bit string of 256 octets: the responder's, and in its certificate the key and its issuer's.
    const beginning = Buffer.of(0x03, 0x82, 0x01, 0x01, 0x00)
    let place = response.indexOf(beginning)
    expect(place).toBeGreaterThan(0)
    for (; place !== -1; place = response.indexOf(beginning, place + 1)) {
      const changed = Buffer.from(response)
      changed[place + 4] = 1
      expect(await getReason({ ...given, ocspResponse: base64(changed) })).not.toBe('holds')
    }
  })

  test('the same document in another encoding of base64', async () => {
    const { signature } = await complete()
    for (const other of [
      `${signature}\n`,
      `${signature.slice(0, 76)}\n${signature.slice(76)}`,
      `${signature}====`,
    ]) {
      expect(await getReason(await withOcspFor(other))).toBe('malformed_signature')
    }
  })

  test('bytes after the response, and a truncated one', async () => {
    const given = await complete()
    const response = Buffer.from(given.ocspResponse, 'base64')
    const others = [Buffer.concat([response, Buffer.alloc(3)]), response.subarray(0, -3)]
    for (const other of others) {
      expect(await getReason({ ...given, ocspResponse: base64(other) })).toBe('malformed_ocsp')
    }
  })

  test('a certificate with text that is not valid UTF-8', async () => {
    const raw = Buffer.from(signer.certificate.raw)
    const surname = raw.indexOf(Buffer.from('\x0c\x06Öberg'))
    expect(surname).toBeGreaterThan(0)
    // As a `PrintableString`, whose octets OpenSSL leaves as they are.
    raw[surname] = 0x13
    raw[surname + 2] = 0xff
    const content = raw.subarray(4, 4 + 4 + raw.readUInt16BE(6))
    const value = sign('sha256', content, bank.customers.keys.privateKey)
    const spoiled = Buffer.concat([raw.subarray(0, -value.length), value])
    const certificate = new X509Certificate(spoiled)
    expect(certificate.verify(bank.customers.certificate.publicKey)).toBe(true)
    const made = vi.spyOn(authority, 'person').mockResolvedValue({ ...signer, certificate })
    const given = await complete()
    made.mockRestore()
    expect(await getReason(given)).toBe('malformed_certificate')
  })

  test('a document that is too long is not read', async () => {
    const given = await complete()
    const long = 'A'.repeat(signatureCharactersMax + 4)
    expect(await getReason({ ...given, signature: long })).toBe('too_large')
    const ocspResponse = 'A'.repeat(ocspCharactersMax + 4)
    expect(await getReason({ ...given, ocspResponse })).toBe('too_large')
  })
})
