import { defineStatement } from '../database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'

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
  browser_hash: Buffer | null
  provider_state_sealed: Buffer | null
  state: 'pending' | 'complete' | 'failed'
  created_at: Date
  expires_at: Date
}

export interface SignatureRow {
  signature_id: string
  member_id: string
  member_name: string | null
  company_id: string | null
  subject: string
  visible_text: string
  record: string
  record_sha256: Buffer
  provider: string
  signed_at: Date
}

/** Gives the member's id, new or known. The name is learnt at a sign-in or a signature and follows the latest. */
export const upsertMember = defineStatement<
  { member_id: string },
  [memberId: string, mac: Buffer, name: string | null, at: Date]
>(
  'identity.upsert_member',
  `insert into members (member_id, personal_number_mac, name, created_at)
   values ($1::uuid, $2::bytea, $3::text, $4::timestamptz)
   on conflict (personal_number_mac) do update set name = coalesce(excluded.name, members.name)
   returning member_id`,
)

export const selectMemberByMac = defineStatement<{ member_id: string; name: string | null }, [mac: Buffer]>(
  'identity.select_member_by_mac',
  `select member_id, name from members where personal_number_mac = $1::bytea`,
)

export const selectMember = defineStatement<
  { member_id: string; personal_number_mac: Buffer; name: string | null },
  [memberId: string]
>(
  'identity.select_member',
  `select member_id, personal_number_mac, name from members where member_id = $1::uuid`,
)

export const insertSession = defineStatement<
  never,
  [sessionHash: Buffer, memberId: string, createdAt: Date, expiresAt: Date]
>(
  'identity.insert_session',
  `insert into sessions (session_hash, member_id, created_at, expires_at)
   values ($1::bytea, $2::uuid, $3::timestamptz, $4::timestamptz)`,
)

export const selectSession = defineStatement<
  { member_id: string; name: string | null; expires_at: Date },
  [sessionHash: Buffer, at: Date]
>(
  'identity.select_session',
  `select s.member_id, m.name, s.expires_at
   from sessions s join members m using (member_id)
   where s.session_hash = $1::bytea and s.expires_at > $2::timestamptz`,
)

export const deleteSession = defineStatement<never, [sessionHash: Buffer]>(
  'identity.delete_session',
  `delete from sessions where session_hash = $1::bytea`,
)

export const deleteExpiredSessions = defineStatement<never, [at: Date, rowsMax: number]>(
  'identity.delete_expired_sessions',
  `delete from sessions
   where session_hash in (
     select session_hash from sessions where expires_at <= $1::timestamptz limit $2::integer for update skip locked
   )`,
)

export const insertOrder = defineStatement<
  never,
  [
    orderId: string,
    provider: string,
    reference: string,
    purpose: OrderRow['purpose'],
    memberId: string | null,
    companyId: string | null,
    subject: string | null,
    visibleText: string | null,
    record: string | null,
    browserHash: Buffer | null,
    providerStateSealed: Buffer | null,
    createdAt: Date,
    expiresAt: Date,
  ]
>(
  'identity.insert_order',
  `insert into identity_orders
     (order_id, provider, provider_reference, purpose, member_id, company_id, subject, visible_text, record,
      browser_hash, provider_state_sealed, state, created_at, expires_at)
   values ($1::uuid, $2::text, $3::text, $4::text, $5::uuid, $6::uuid, $7::text, $8::text, $9::text,
      $10::bytea, $11::bytea, 'pending', $12::timestamptz, $13::timestamptz)`,
)

const orderColumns = `order_id, provider, provider_reference, purpose, member_id, company_id, subject, visible_text,
  record, browser_hash, provider_state_sealed, state, created_at, expires_at`

export const selectOrder = defineStatement<OrderRow, [orderId: string]>(
  'identity.select_order',
  `select ${orderColumns} from identity_orders where order_id = $1::uuid`,
)

/** Only one caller may settle an order: the second one gets no row. */
export const settleOrder = defineStatement<
  { order_id: string },
  [orderId: string, state: 'complete' | 'failed']
>(
  'identity.settle_order',
  `update identity_orders set state = $2::text
   where order_id = $1::uuid and state = 'pending'
   returning order_id`,
)

export const deleteExpiredOrders = defineStatement<never, [at: Date, rowsMax: number]>(
  'identity.delete_expired_orders',
  `delete from identity_orders
   where order_id in (
     select order_id from identity_orders where expires_at <= $1::timestamptz limit $2::integer for update skip locked
   )`,
)

export const insertSignature = defineStatement<
  never,
  [
    signatureId: string,
    memberId: string,
    companyId: string | null,
    subject: string,
    visibleText: string,
    record: string,
    recordSha256: Buffer,
    provider: string,
    evidenceSealed: Buffer,
    signedAt: Date,
  ]
>(
  'identity.insert_signature',
  `insert into signatures
     (signature_id, member_id, company_id, subject, visible_text, record, record_sha256, provider,
      evidence_sealed, signed_at)
   values ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::text, $7::bytea, $8::text,
      $9::bytea, $10::timestamptz)`,
)

/** Newest first: version 7 ids grow with time. */
export const selectSignaturesOfCompany = defineStatement<
  SignatureRow & WithinBytes,
  [companyId: string, before: string | null, limit: number]
>(
  'identity.select_signatures_of_company',
  withinBytes(`select s.signature_id, s.member_id, m.name as member_name, s.company_id, s.subject, s.visible_text, s.record,
     s.record_sha256, s.provider, s.signed_at
   from signatures s join members m using (member_id)
   where s.company_id = $1::uuid and ($2::uuid is null or s.signature_id < $2::uuid)
   order by s.signature_id desc
   limit $3::integer`),
)

export const selectSignaturesOfMember = defineStatement<
  SignatureRow & WithinBytes,
  [memberId: string, before: string | null, limit: number]
>(
  'identity.select_signatures_of_member',
  withinBytes(`select s.signature_id, s.member_id, m.name as member_name, s.company_id, s.subject, s.visible_text, s.record,
     s.record_sha256, s.provider, s.signed_at
   from signatures s join members m using (member_id)
   where s.member_id = $1::uuid and ($2::uuid is null or s.signature_id < $2::uuid)
   order by s.signature_id desc
   limit $3::integer`),
)

export const insertDemoOrder = defineStatement<
  never,
  [
    reference: string,
    visibleText: string | null,
    recordSha256: Buffer | null,
    createdAt: Date,
    expiresAt: Date,
  ]
>(
  'identity.insert_demo_order',
  `insert into demo_identity_orders (reference, visible_text, record_sha256, state, created_at, expires_at)
   values ($1::text, $2::text, $3::bytea, 'pending', $4::timestamptz, $5::timestamptz)`,
)

export interface DemoOrderRow {
  reference: string
  visible_text: string | null
  record_sha256: Buffer | null
  state: 'pending' | 'approved' | 'refused'
  person_sealed: Buffer | null
  expires_at: Date
}

export const selectDemoOrder = defineStatement<DemoOrderRow, [reference: string]>(
  'identity.select_demo_order',
  `select reference, visible_text, record_sha256, state, person_sealed, expires_at
   from demo_identity_orders where reference = $1::text`,
)

/** The first answer stands: no row for a later one, or after the end. */
export const answerDemoOrder = defineStatement<
  { reference: string },
  [reference: string, state: 'approved' | 'refused', personSealed: Buffer | null, at: Date]
>(
  'identity.answer_demo_order',
  `update demo_identity_orders set state = $2::text, person_sealed = $3::bytea
   where reference = $1::text and state = 'pending' and expires_at > $4::timestamptz
   returning reference`,
)

export const deleteExpiredDemoOrders = defineStatement<never, [at: Date, rowsMax: number]>(
  'identity.delete_expired_demo_orders',
  `delete from demo_identity_orders
   where reference in (
     select reference from demo_identity_orders where expires_at <= $1::timestamptz limit $2::integer for update skip locked
   )`,
)

/** At most so many whose sealed part is under a master key, without those that another such call has taken. */
export const takeSignaturesUnder = defineStatement<
  { signature_id: string; sealed: Buffer },
  { fingerprint: Buffer; rowsMax: number }
>(
  'identity.take_signatures_under',
  `select signature_id, evidence_sealed as sealed from signatures
   where sealed_under = $fingerprint::bytea
   limit $rowsMax::integer
   for update skip locked`,
)

export const updateSealedSignatures = defineStatement<never, [ids: string[], sealed: Buffer[]]>(
  'identity.update_sealed_signatures',
  `update signatures as t set evidence_sealed = n.sealed
   from unnest($1::uuid[], $2::bytea[]) as n (key, sealed)
   where t.signature_id = n.key`,
)

export const takeOrdersUnder = defineStatement<
  { order_id: string; sealed: Buffer },
  { fingerprint: Buffer; rowsMax: number }
>(
  'identity.take_orders_under',
  `select order_id, provider_state_sealed as sealed from identity_orders
   where sealed_under = $fingerprint::bytea
   limit $rowsMax::integer
   for update skip locked`,
)

export const updateSealedOrders = defineStatement<never, [ids: string[], sealed: Buffer[]]>(
  'identity.update_sealed_orders',
  `update identity_orders as t set provider_state_sealed = n.sealed
   from unnest($1::uuid[], $2::bytea[]) as n (key, sealed)
   where t.order_id = n.key`,
)

export const takeDemoOrdersUnder = defineStatement<
  { reference: string; sealed: Buffer },
  { fingerprint: Buffer; rowsMax: number }
>(
  'identity.take_demo_orders_under',
  `select reference, person_sealed as sealed from demo_identity_orders
   where sealed_under = $fingerprint::bytea
   limit $rowsMax::integer
   for update skip locked`,
)

export const updateSealedDemoOrders = defineStatement<never, [references: string[], sealed: Buffer[]]>(
  'identity.update_sealed_demo_orders',
  `update demo_identity_orders as t set person_sealed = n.sealed
   from unnest($1::text[], $2::bytea[]) as n (key, sealed)
   where t.reference = n.key`,
)
