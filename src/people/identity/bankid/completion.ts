import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { X509Certificate } from 'node:crypto'
import type { IdentifiedPerson } from '../identity-provider.ts'
import { writeBankIdEvidence } from './evidence/evidence.ts'
import { NotVerified } from './evidence/not-verified.ts'
import { proveBankIdSignature } from './evidence/verify-signature.ts'

const Completion = Type.Object({
  user: Type.Object({
    personalNumber: Type.String({ pattern: '^\\d{12}$' }),
    name: Type.String(),
    givenName: Type.String(),
    surname: Type.String(),
  }),
  device: Type.Object({ ipAddress: Type.String(), uhi: Type.Optional(Type.String()) }),
  bankIdIssueDate: Type.Optional(Type.String()),
  risk: Type.Optional(Type.String()),
  signature: Type.String(),
  ocspResponse: Type.String(),
})

const compiled = Compile(Completion)

/** `completionData` of a completed order; further members are ignored. */
export type Completion = Static<typeof Completion>

/** @throws NotVerified `malformed_completion` if it is anything else */
export function readCompletion(value: unknown): Completion {
  if (!compiled.Check(value)) throw new NotVerified('malformed_completion')
  return value
}

/** What was requested of the person. */
export interface Requested {
  operation: 'auth' | 'sign'
  /** What was sent as `userVisibleData`, before base64; null if nothing was. */
  visibleText: string | null
  /** What was sent as `userNonVisibleData`, before base64: 32 bytes, as lowercase hexadecimal. */
  nonVisibleHex: string
  /** Who must answer: twelve digits; null for anyone. */
  personalNumber: string | null
}

/** A completed order, with what it is checked against. It can be sent to a thread. */
export interface CompletionToCheck {
  completion: Completion
  requested: Requested
  orderRef: string
  /** Whose certificates of people are trusted. */
  roots: readonly X509Certificate[]
  /** Now. */
  at: Date
}

/** What is stored of a completed order. */
export interface CheckedCompletion {
  person: IdentifiedPerson
  /** As `writeBankIdEvidence` wrote it. */
  evidence: string
}

/**
 * Checks that a completed order is what was requested: the person is the requested one and the one BankID names, and what
 * they signed is our text and our hash, with a signature and an OCSP response that hold. A sign-in signs the hash of its
 * order's reference, so that the answer to another order does not fit this one.
 *
 * @throws NotVerified with the reason in a word
 */
export function checkCompletion(given: CompletionToCheck): CheckedCompletion {
  const { completion, requested, orderRef, roots, at } = given
  const { user, device, bankIdIssueDate, risk, signature, ocspResponse } = completion
  const { verified } = proveBankIdSignature({ signature, ocspResponse, roots, at })
  const { personalNumber } = verified.person
  const isRequested = requested.personalNumber === null || requested.personalNumber === personalNumber
  if (personalNumber !== user.personalNumber || !isRequested) throw new NotVerified('other_person')
  if (verified.function !== (requested.operation === 'sign' ? 'Signing' : 'Identification')) {
    throw new NotVerified('other_function')
  }
  const shown = verified.visible
  const isOurText =
    requested.visibleText === null
      ? shown === undefined
      : shown?.format === 'simpleMarkdownV1' && shown.bytes.equals(Buffer.from(requested.visibleText))
  if (!isOurText) throw new NotVerified('other_text')
  if (verified.nonVisible?.toString('hex') !== requested.nonVisibleHex) throw new NotVerified('other_record')
  const evidence = writeBankIdEvidence({
    bankid: '6.0',
    order_ref: orderRef,
    completed_at: at.toISOString(),
    user: { personalNumber, name: user.name, givenName: user.givenName, surname: user.surname },
    device: { ipAddress: device.ipAddress, uhi: device.uhi ?? null },
    bank_id_issue_date: bankIdIssueDate ?? null,
    risk: risk ?? null,
    signature,
    ocsp_response: ocspResponse,
    visible_text: requested.visibleText ?? '',
    non_visible_data: requested.nonVisibleHex,
  })
  return { person: { personalNumber, name: verified.person.name }, evidence }
}
