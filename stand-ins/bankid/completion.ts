import { randomBytes } from 'node:crypto'
import type { Authority, Bank } from './authority.ts'
import type { Issued } from './certificate.ts'
import { createBusyOcspResponse, createOcspResponse } from './ocsp-response.ts'
import { type Person, splitName } from './person.ts'
import { createSignature, type SignatureFaults, type Signing } from './signature.ts'

/** The faults that a completed order can have. Everything else about it is right. */
export const tamperings = {
  signature: 'one bit of the signature value is changed',
  text: 'another visible text is signed',
  'text-afterwards': 'the visible text was replaced after signing',
  wrapped: 'an element with another text stands before the signed one, under the same identifier',
  hash: 'other non-visible data is signed',
  'no-hash': 'no non-visible data is signed',
  function: 'a sign-in instead of a signature, or the other way round',
  person: 'the certificate is another person’s than the order’s',
  'other-person': 'another person than the required one completes the order, under their own name',
  'certificate-expired': 'the person’s certificate ended yesterday',
  'certificate-afterwards': 'the certificate was replaced after signing',
  'other-root': 'all certificates are under another root of the same name',
  'certificate-revoked': 'the OCSP response says revoked',
  'ocsp-unknown': 'the OCSP response says unknown',
  'ocsp-stale': 'the OCSP response is a day old',
  'ocsp-other-signer': 'the OCSP response is signed by another bank’s responder',
  'ocsp-no-responder': 'the OCSP response is signed with a person’s certificate of the same bank',
  'ocsp-other-certificate': 'the OCSP response is about another certificate',
  'ocsp-other-signature': 'the OCSP response has the nonce of another signature',
  'ocsp-busy': 'the OCSP response has no status, but asks to try later',
  'no-signature': 'the signature is missing',
  'no-ocsp': 'the OCSP response is missing',
  'not-base64': 'the signature is not base64',
  'not-xml': 'the signature is not XML',
  doctype: 'the signature’s document declares entities',
  'not-ocsp': 'the OCSP response is not DER',
  'other-order': 'the answer to collect names another order',
  replay: 'signature and OCSP response are those of an earlier order',
} as const

export type Tampering = keyof typeof tamperings

/** The order, and the person who completes it. */
export interface Completing extends Pick<
  Signing,
  'kind' | 'visible' | 'format' | 'nonVisible' | 'relyingParty' | 'policies'
> {
  person: Person
  ipAddress: string
  /** Milliseconds since 1970. */
  at: number
  risk?: 'low' | 'moderate' | 'high' | undefined
  /** The letter of the person's bank. */
  bank?: string | undefined
  tamper?: Tampering | undefined
}

export interface CompletionData {
  user: { personalNumber: string; name: string; givenName: string; surname: string }
  device: { ipAddress: string; uhi: string }
  bankIdIssueDate: string
  risk?: string
  signature?: string
  ocspResponse?: string
}

type Proof = Required<Pick<CompletionData, 'signature' | 'ocspResponse'>>

const dayMs = 86_400_000
const otherPerson: Person = { personalNumber: '189001059808', name: 'Sigge Annansson' }

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The content to sign, with the faults that come before signing. */
function toSignedContent(completing: Completing): Pick<Signing, 'kind' | 'visible' | 'nonVisible'> {
  const { kind, visible, nonVisible, tamper } = completing
  if (tamper === 'text') return { kind, visible: base64('Another text.'), nonVisible }
  if (tamper === 'hash') return { kind, visible, nonVisible: randomBytes(32).toString('base64') }
  if (tamper === 'no-hash') return { kind, visible, nonVisible: undefined }
  if (tamper === 'function') return { kind: kind === 'sign' ? 'auth' : 'sign', visible, nonVisible }
  return { kind, visible, nonVisible }
}

async function getFaults(authority: Authority, { kind, tamper }: Completing): Promise<SignatureFaults> {
  const purpose = kind === 'sign' ? 'signing' : 'identification'
  if (tamper === 'signature') return { isValueChanged: true }
  if (tamper === 'text-afterwards') return { visibleAfterwards: base64('Another text.') }
  if (tamper === 'wrapped') return { wrapped: base64('Another text.') }
  if (tamper === 'doctype') return { hasDoctype: true }
  if (tamper === 'certificate-afterwards') {
    return { certificateAfterwards: await authority.person(otherPerson, purpose) }
  }
  return {}
}

async function createOcsp(
  authority: Authority,
  completing: Completing,
  { signature, signer, bank }: { signature: string; signer: Issued; bank: Bank },
): Promise<string> {
  const { tamper, at } = completing
  if (tamper === 'ocsp-busy') return createBusyOcspResponse()
  const other = await authority.person(otherPerson, 'identification')
  const responders: Partial<Record<Tampering, Issued>> = {
    'ocsp-no-responder': other,
    ...(tamper === 'ocsp-other-signer' ? { [tamper]: (await authority.bank('B')).responder } : {}),
  }
  return createOcspResponse({
    signature: tamper === 'ocsp-other-signature' ? base64(signature) : signature,
    about: tamper === 'ocsp-other-certificate' ? other : signer,
    issuer: bank.customers,
    responder: (tamper && responders[tamper]) ?? bank.responder,
    at: tamper === 'ocsp-stale' ? at - dayMs : at,
    status: tamper === 'certificate-revoked' ? 'revoked' : tamper === 'ocsp-unknown' ? 'unknown' : 'good',
  })
}

async function createProof(authority: Authority, completing: Completing, uhi: string): Promise<Proof> {
  const { kind, person, relyingParty, format, policies, tamper, bank: letter = 'A' } = completing
  const bank = await authority.bank(letter, tamper === 'other-root')
  const signer = await authority.person(
    tamper === 'person' ? otherPerson : person,
    (kind === 'sign') === (tamper !== 'function') ? 'signing' : 'identification',
    {
      letter,
      isExpired: tamper === 'certificate-expired',
      ...(tamper === 'other-root' ? { bank } : {}),
    },
  )
  const signature = createSignature(
    { ...toSignedContent(completing), format, relyingParty, signer, bank, uhi, policies },
    await getFaults(authority, completing),
  )
  return { signature, ocspResponse: await createOcsp(authority, completing, { signature, signer, bank }) }
}

/** The proof with the faults of a missing or unreadable one. */
function breakProof(proof: Proof, tamper: Tampering | undefined): Partial<Proof> {
  const { signature, ocspResponse } = proof
  if (tamper === 'no-signature') return { ocspResponse }
  if (tamper === 'no-ocsp') return { signature }
  if (tamper === 'not-base64') return { signature: `%${signature.slice(1)}`, ocspResponse }
  if (tamper === 'not-xml') return { signature: base64('not XML'), ocspResponse }
  if (tamper === 'not-ocsp') return { signature, ocspResponse: base64('not DER') }
  return proof
}

/**
 * Signs the order: the `completionData` of `collect`.
 *
 * @param earlier of another order, for `replay`
 * @throws Error if there is nothing to replay
 */
export async function createCompletionData(
  authority: Authority,
  completing: Completing,
  earlier?: Proof,
): Promise<CompletionData> {
  const { tamper, ipAddress, at, risk } = completing
  const person = tamper === 'other-person' ? otherPerson : completing.person
  const uhi = randomBytes(21).toString('base64')
  if (tamper === 'replay' && earlier === undefined) throw new Error('No order was completed before.')
  const proof =
    tamper === 'replay'
      ? earlier!
      : breakProof(await createProof(authority, { ...completing, person }, uhi), tamper)
  return {
    user: { personalNumber: person.personalNumber, name: person.name, ...splitName(person) },
    device: { ipAddress, uhi },
    bankIdIssueDate: new Date(at - 30 * dayMs).toISOString().slice(0, 10),
    ...(risk === undefined ? {} : { risk }),
    ...proof,
  }
}
