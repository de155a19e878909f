import { defineStatement } from '../../platform/database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../../platform/database/within-bytes.ts'

export interface OrderRow {
  order_id: string
  provider: string
  provider_reference: string
  purpose: 'sign_in' | 'sign'
  member_id: string | null
  company_id: string | null
  subject: string | null
  visible_text: string | null
  record: string | null
  /** SHA-256 of the token of the browser that began: of its order cookie, or for a signature of its session. */
  browser_hash: Buffer | null
  /** When that browser returned from the app. */
  returned_at: Date | null
  state: 'pending' | 'complete' | 'failed'
  created_at: Date
  expires_at: Date
}

export interface SignatureRow {
  signature_id: string
  member_id: string
  member_name: string | null
  company_id: string | null
  company_name: string | null
  subject: string
  visible_text: string
  record: string
  record_sha256: Buffer
  provider: string
  signed_at: Date
}

const orderColumns = `order_id, provider, provider_reference, purpose, member_id, company_id, subject, visible_text,
  record, browser_hash, returned_at, state, created_at, expires_at`

export const insertOrder = defineStatement<
  never,
  {
    orderId: string
    provider: string
    reference: string
    purpose: OrderRow['purpose']
    memberId?: string
    companyId?: string | null
    subject?: string
    visibleText?: string
    record?: string
    browserHash: Buffer | null
    returnTo: string
    returnHash: Buffer | null
    createdAt: Date
    expiresAt: Date
  }
>(
  'identity.insert-order',
  `insert into identity_orders (order_id, provider, provider_reference, purpose, member_id, company_id, subject,
     visible_text, record, browser_hash, return_to, return_hash, state, created_at, expires_at)
   values ($orderId::uuid, $provider::text, $reference::text, $purpose::text, $memberId::uuid, $companyId::uuid,
     $subject::text, $visibleText::text, $record::text, $browserHash::bytea, $returnTo::text, $returnHash::bytea,
     'pending', $createdAt::timestamptz, $expiresAt::timestamptz)`,
)

/** The nonce has returned to one of the browsers. No row if none of them began its order. */
export const returnToOrder = defineStatement<
  { return_to: string },
  { returnHash: Buffer; browserHashes: Buffer[]; at: Date }
>(
  'identity.return-to-order',
  `update identity_orders set returned_at = coalesce(returned_at, $at::timestamptz)
   where return_hash = $returnHash::bytea and browser_hash = any($browserHashes::bytea[])
     and expires_at > $at::timestamptz
   returning return_to`,
)

export const selectOrder = defineStatement<OrderRow, { orderId: string }>(
  'identity.select-order',
  `select ${orderColumns} from identity_orders where order_id = $orderId::uuid`,
)

/** Only one caller settles an order: any other gets no row. */
export const settleOrder = defineStatement<
  { order_id: string },
  { orderId: string; state: 'complete' | 'failed' }
>(
  'identity.settle-order',
  `update identity_orders set state = $state::text
   where order_id = $orderId::uuid and state = 'pending'
   returning order_id`,
)

export const insertSignature = defineStatement<
  never,
  {
    signatureId: string
    memberId: string
    companyId: string | null
    subject: string
    visibleText: string
    record: string
    recordSha256: Buffer
    provider: string
    evidenceSealed: Buffer
    signedAt: Date
  }
>(
  'identity.insert-signature',
  `insert into signatures
     (signature_id, member_id, company_id, subject, visible_text, record, record_sha256, provider,
      evidence_sealed, signed_at)
   values ($signatureId::uuid, $memberId::uuid, $companyId::uuid, $subject::text, $visibleText::text,
     $record::text, $recordSha256::bytea, $provider::text,
     $evidenceSealed::bytea, $signedAt::timestamptz)`,
)

const signatureColumns = `signatures.signature_id, signatures.member_id, members.name as member_name,
     signatures.company_id, companies.name as company_name, signatures.subject, signatures.visible_text,
     signatures.record, signatures.record_sha256, signatures.provider, signatures.signed_at`

const fromSignatures = `from signatures join members using (member_id)
     left join companies on companies.company_id = signatures.company_id`

/** Newest first: version 7 ids grow with time. */
function selectSignatures(condition: string): string {
  return withinBytes(`select ${signatureColumns}
   ${fromSignatures}
   where ${condition} and ($before::uuid is null or signatures.signature_id < $before::uuid)
   order by signatures.signature_id desc
   limit $limit::integer`)
}

export const selectSignaturesOfCompany = defineStatement<
  SignatureRow & WithinBytes,
  { companyId: string; before: string | null; limit: number }
>('identity.select-signatures-of-company', selectSignatures('signatures.company_id = $companyId::uuid'))

export const selectSignaturesOfMember = defineStatement<
  SignatureRow & WithinBytes,
  { memberId: string; before: string | null; limit: number }
>('identity.select-signatures-of-member', selectSignatures('signatures.member_id = $memberId::uuid'))

export type StoredSignatureRow = SignatureRow & { evidence_sealed: Buffer }

const storedSignatures = `select ${signatureColumns}, signatures.evidence_sealed ${fromSignatures}`

/** One of a member's own, with the sealed evidence. */
export const selectOwnSignature = defineStatement<
  StoredSignatureRow,
  { signatureId: string; memberId: string }
>(
  'identity.select-own-signature',
  `${storedSignatures}
   where signatures.signature_id = $signatureId::uuid and signatures.member_id = $memberId::uuid`,
)

/** Any member's, for the operator, with the sealed evidence. */
export const selectStoredSignature = defineStatement<StoredSignatureRow, { signatureId: string }>(
  'identity.select-stored-signature',
  `${storedSignatures} where signatures.signature_id = $signatureId::uuid`,
)

/** All of them, a batch at a time, oldest first. */
export const selectStoredSignaturesAfter = defineStatement<
  StoredSignatureRow & WithinBytes,
  { after: string; limit: number }
>(
  'identity.select-stored-signatures-after',
  withinBytes(`${storedSignatures} where signatures.signature_id > $after::uuid
   order by signatures.signature_id
   limit $limit::integer`),
)

export const insertDemoOrder = defineStatement<
  never,
  {
    reference: string
    visibleText: string | null
    recordSha256: Buffer | null
    createdAt: Date
    expiresAt: Date
  }
>(
  'identity.insert-demo-order',
  `insert into demo_identity_orders (reference, visible_text, record_sha256, state, created_at, expires_at)
   values ($reference::text, $visibleText::text, $recordSha256::bytea, 'pending', $createdAt::timestamptz,
     $expiresAt::timestamptz)`,
)

interface DemoOrderRow {
  reference: string
  visible_text: string | null
  record_sha256: Buffer | null
  state: 'pending' | 'approved' | 'refused'
  person_sealed: Buffer | null
  expires_at: Date
}

export const selectDemoOrder = defineStatement<DemoOrderRow, { reference: string }>(
  'identity.select-demo-order',
  `select reference, visible_text, record_sha256, state, person_sealed, expires_at
   from demo_identity_orders where reference = $reference::text`,
)

/** Only the first answer counts: no row for a later one, or after the end. */
export const answerDemoOrder = defineStatement<
  { reference: string },
  { reference: string; state: 'approved' | 'refused'; personSealed: Buffer | null; at: Date }
>(
  'identity.answer-demo-order',
  `update demo_identity_orders set state = $state::text, person_sealed = $personSealed::bytea
   where reference = $reference::text and state = 'pending' and expires_at > $at::timestamptz
   returning reference`,
)
