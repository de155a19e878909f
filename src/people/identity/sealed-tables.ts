import { defineSealedTable } from '../../platform/keys/sealed-table.ts'

/** The evidence of signatures. */
export const sealedSignatures = defineSealedTable<{ signature_id: string }>(
  'signatures',
  'evidence_sealed',
  { signature_id: 'uuid' },
  (key) => `signature:${key.signature_id}`,
)

/** Who approved an order of the demo's electronic identity. */
export const sealedDemoOrders = defineSealedTable<{ reference: string }>(
  'demo_identity_orders',
  'person_sealed',
  { reference: 'text' },
  (key) => `demo_identity_order:${key.reference}`,
)

/** What is needed to continue an order at BankID, then its result. */
export const sealedBankIdOrders = defineSealedTable<{ reference: string }>(
  'bankid_orders',
  'content_sealed',
  { reference: 'text' },
  (key) => `bankid_order:${key.reference}`,
)

/** What the answer to an order at the OpenID Connect provider is checked against, then who the person is. */
export const sealedOpenIdConnectOrders = defineSealedTable<{ reference: string }>(
  'openid_connect_orders',
  'sealed',
  { reference: 'text' },
  (key) => `openid_connect_order:${key.reference}`,
)
