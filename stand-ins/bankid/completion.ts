import { randomBytes } from 'node:crypto'
import { type Authority, type Bank, namesOf, type Person } from './authority.ts'
import type { Issued } from './certificate.ts'
import { makeBusyOcspResponse, makeOcspResponse } from './ocsp-response.ts'
import { makeSignature, type SignatureFaults, type Signing } from './signature.ts'

/** What can be wrong with a completed order. Everything else of it is as it should be. */
export const tamperings = {
  signature: 'one bit of the signature value is another one',
  text: 'another visible text is signed',
  'text-afterwards': 'the visible text was replaced after signing',
  wrapped: 'an element with another text stands before the signed one, under the same identifier',
  hash: 'other non-visible data is signed',
  'no-hash': 'no non-visible data is signed',
  function: 'a sign-in where a signature was asked for, or the other way round',
  person: 'the certificate is of somebody else than the order says',
  'asked-person': 'somebody else than asked for completes the order, and it says so',
  'certificate-expired': 'the person’s certificate ended yesterday',
  'certificate-afterwards': 'the certificate was replaced after signing',
  'other-root': 'all certificates are of another root of the same name',
  'certificate-revoked': 'the OCSP answer says revoked',
  'ocsp-unknown': 'the OCSP answer knows no such certificate',
  'ocsp-stale': 'the OCSP answer is a day old',
  'ocsp-other-signer': 'the OCSP answer is signed for another bank',
  'ocsp-no-responder': 'the OCSP answer is signed by a person’s certificate of the same bank',
  'ocsp-other-certificate': 'the OCSP answer is about another certificate',
  'ocsp-other-signature': 'the OCSP answer has the nonce of another signature',
  'ocsp-busy': 'the OCSP answer answers nothing',
  'no-signature': 'there is no signature',
  'no-ocsp': 'there is no OCSP answer',
  'not-base64': 'the signature is no base64',
  'not-xml': 'the signature is no XML',
  doctype: 'the signature’s document declares entities',
  'not-ocsp': 'the OCSP answer is no DER',
  'other-order': 'the answer to collect names another order',
  replay: 'signature and OCSP answer are those that the stand-in completed an order with before',
} as const

export type Tampering = keyof typeof tamperings

/** What a completed order is made of. */
export interface Completing extends Pick<
  Signing,
  'kind' | 'visible' | 'format' | 'nonVisible' | 'relyingParty' | 'policies'
> {
  person: Person
  ipAddress: string
  /** In milliseconds since 1970. */
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
/** Who nobody asked for. */
const somebodyElse: Person = { personalNumber: '189001059808', name: 'Sigge Annansson' }

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** What is asked to be signed, with what is tampered of it before it is. */
function tampered(completing: Completing): Pick<Signing, 'kind' | 'visible' | 'nonVisible'> {
  const { kind, visible, nonVisible, tamper } = completing
  if (tamper === 'text') return { kind, visible: base64('Another text.'), nonVisible }
  if (tamper === 'hash') return { kind, visible, nonVisible: randomBytes(32).toString('base64') }
  if (tamper === 'no-hash') return { kind, visible, nonVisible: undefined }
  if (tamper === 'function') return { kind: kind === 'sign' ? 'auth' : 'sign', visible, nonVisible }
  return { kind, visible, nonVisible }
}

async function faultsOf(authority: Authority, { kind, tamper }: Completing): Promise<SignatureFaults> {
  const purpose = kind === 'sign' ? 'signing' : 'identification'
  if (tamper === 'signature') return { isValueChanged: true }
  if (tamper === 'text-afterwards') return { visibleAfterwards: base64('Another text.') }
  if (tamper === 'wrapped') return { wrapped: base64('Another text.') }
  if (tamper === 'doctype') return { hasDoctype: true }
  if (tamper === 'certificate-afterwards') {
    return { certificateAfterwards: await authority.person(somebodyElse, purpose) }
  }
  return {}
}

async function ocspOf(
  authority: Authority,
  completing: Completing,
  { signature, signer, bank }: { signature: string; signer: Issued; bank: Bank },
): Promise<string> {
  const { tamper, at } = completing
  if (tamper === 'ocsp-busy') return makeBusyOcspResponse()
  const other = await authority.person(somebodyElse, 'identification')
  const responders: Partial<Record<Tampering, Issued>> = {
    'ocsp-no-responder': other,
    ...(tamper === 'ocsp-other-signer' ? { [tamper]: (await authority.bank('B')).responder } : {}),
  }
  return makeOcspResponse({
    signature: tamper === 'ocsp-other-signature' ? base64(signature) : signature,
    about: tamper === 'ocsp-other-certificate' ? other : signer,
    issuer: bank.customers,
    responder: (tamper && responders[tamper]) ?? bank.responder,
    at: tamper === 'ocsp-stale' ? at - dayMs : at,
    status: tamper === 'certificate-revoked' ? 'revoked' : tamper === 'ocsp-unknown' ? 'unknown' : 'good',
  })
}

async function makeProof(authority: Authority, completing: Completing, uhi: string): Promise<Proof> {
  const { kind, person, relyingParty, format, policies, tamper, bank: letter = 'A' } = completing
  const bank = await authority.bank(letter, tamper === 'other-root')
  const signer = await authority.person(
    tamper === 'person' ? somebodyElse : person,
    (kind === 'sign') === (tamper !== 'function') ? 'signing' : 'identification',
    {
      letter,
      isExpired: tamper === 'certificate-expired',
      ...(tamper === 'other-root' ? { bank } : {}),
    },
  )
  const signature = makeSignature(
    { ...tampered(completing), format, relyingParty, signer, bank, uhi, policies },
    await faultsOf(authority, completing),
  )
  return { signature, ocspResponse: await ocspOf(authority, completing, { signature, signer, bank }) }
}

/** What is no proof at all. */
function broken(proof: Proof, tamper: Tampering | undefined): Partial<Proof> {
  const { signature, ocspResponse } = proof
  if (tamper === 'no-signature') return { ocspResponse }
  if (tamper === 'no-ocsp') return { signature }
  if (tamper === 'not-base64') return { signature: `%${signature.slice(1)}`, ocspResponse }
  if (tamper === 'not-xml') return { signature: base64('no document'), ocspResponse }
  if (tamper === 'not-ocsp') return { signature, ocspResponse: base64('no answer') }
  return proof
}

/**
 * What a completed order is collected with: who signed, on what, and the proof of it.
 *
 * @param earlier what an order was completed with before, for `replay`
 * @throws Error where there is nothing to replay
 */
export async function makeCompletionData(
  authority: Authority,
  completing: Completing,
  earlier?: Proof,
): Promise<CompletionData> {
  const { tamper, ipAddress, at, risk } = completing
  const person = tamper === 'asked-person' ? somebodyElse : completing.person
  const uhi = randomBytes(21).toString('base64')
  if (tamper === 'replay' && earlier === undefined) throw new Error('No order was completed before.')
  const proof =
    tamper === 'replay'
      ? earlier!
      : broken(await makeProof(authority, { ...completing, person }, uhi), tamper)
  return {
    user: { personalNumber: person.personalNumber, name: person.name, ...namesOf(person) },
    device: { ipAddress, uhi },
    bankIdIssueDate: new Date(at - 30 * dayMs).toISOString().slice(0, 10),
    ...(risk === undefined ? {} : { risk }),
    ...proof,
  }
}
