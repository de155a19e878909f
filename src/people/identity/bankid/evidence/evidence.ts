import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { NotVerified } from './not-verified.ts'

const Evidence = Type.Object(
  {
    /** Version of the relying-party API. */
    bankid: Type.Literal('6.0'),
    order_ref: Type.String(),
    /** When the completed order was collected, ISO 8601 in UTC. */
    completed_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
    /** From BankID; the signature's certificate says the same. */
    user: Type.Object(
      {
        personalNumber: Type.String({ pattern: '^\\d{12}$' }),
        name: Type.String(),
        givenName: Type.String(),
        surname: Type.String(),
      },
      { additionalProperties: false },
    ),
    device: Type.Object(
      { ipAddress: Type.String(), uhi: Type.Union([Type.String(), Type.Null()]) },
      { additionalProperties: false },
    ),
    bank_id_issue_date: Type.Union([Type.String(), Type.Null()]),
    /** Null if BankID could not tell. */
    risk: Type.Union([Type.String(), Type.Null()]),
    /** Base64 of the XML signature, as received: the OCSP response's nonce is a hash of these characters. */
    signature: Type.String(),
    /** Base64 of the DER, as received. */
    ocsp_response: Type.String(),
    /** What the person was shown, before base64. */
    visible_text: Type.String(),
    /** Hexadecimal SHA-256 of the record. */
    non_visible_data: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
)

/**
 * The stored proof of a signature with BankID: what BankID answered and what was requested. It contains personal data, and is
 * sealed in `signatures.evidence_sealed`.
 */
export type BankIdEvidence = Static<typeof Evidence>

const compiled = Compile(Evidence)

export function writeBankIdEvidence(evidence: BankIdEvidence): string {
  return JSON.stringify(evidence)
}

/** Reads what `writeBankIdEvidence` wrote. @throws NotVerified `malformed_evidence` if it is anything else */
export function readBankIdEvidence(text: string): BankIdEvidence {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new NotVerified('malformed_evidence')
  }
  if (!compiled.Check(value)) throw new NotVerified('malformed_evidence')
  return value
}
