import { defineStatement } from '../../../platform/database/define-statement.ts'

interface OpenIdConnectOrderRow {
  state: 'pending' | 'answered' | 'complete' | 'failed'
  sealed: Buffer | null
  reason: string | null
  expires_at: Date
  /** Null before the answer. */
  answered_at: Date | null
}

export const insertOpenIdConnectOrder = defineStatement<
  never,
  {
    reference: string
    state: 'pending' | 'failed'
    sealed: Buffer | null
    reason: string | null
    createdAt: Date
    expiresAt: Date
  }
>(
  'openid-connect.insert-order',
  `insert into openid_connect_orders (reference, state, sealed, reason, created_at, expires_at)
   values ($reference::text, $state::text, $sealed::bytea, $reason::text, $createdAt::timestamptz,
     $expiresAt::timestamptz)`,
)

export const selectOpenIdConnectOrder = defineStatement<OpenIdConnectOrderRow, { reference: string }>(
  'openid-connect.select-order',
  `select state, sealed, reason, expires_at, answered_at
   from openid_connect_orders where reference = $reference::text`,
)

/** Where the browser is sent after the answer, and which browser began the order. */
export const selectAnsweredOrder = defineStatement<
  { return_to: string; browser_hash: Buffer | null },
  { reference: string }
>(
  'openid-connect.select-answered-order',
  `select identity_orders.return_to, identity_orders.browser_hash
   from openid_connect_orders
     join identity_orders on identity_orders.provider_reference = openid_connect_orders.reference
   where openid_connect_orders.reference = $reference::text`,
)

/** An order has one answer: no row for a later one, or after the order's end. */
export const claimOpenIdConnectAnswer = defineStatement<
  { sealed: Buffer; created_at: Date },
  { reference: string; at: Date }
>(
  'openid-connect.claim-answer',
  `update openid_connect_orders set state = 'answered', answered_at = $at::timestamptz
   where reference = $reference::text and state = 'pending' and expires_at > $at::timestamptz
   returning sealed, created_at`,
)

/** No row if it was cancelled meanwhile. */
export const completeOpenIdConnectOrder = defineStatement<
  { reference: string },
  { reference: string; sealed: Buffer }
>(
  'openid-connect.complete-order',
  `update openid_connect_orders set state = 'complete', sealed = $sealed::bytea
   where reference = $reference::text and state = 'answered'
   returning reference`,
)

/** No row if it is over. */
export const failOpenIdConnectOrder = defineStatement<
  { reference: string },
  { reference: string; reason: string }
>(
  'openid-connect.fail-order',
  `update openid_connect_orders set state = 'failed', sealed = null, reason = $reason::text
   where reference = $reference::text and state in ('pending', 'answered')
   returning reference`,
)

/** No row if its answer has arrived, or is too late. */
export const failAwaitedOpenIdConnectOrder = defineStatement<
  { reference: string },
  { reference: string; reason: string; at: Date }
>(
  'openid-connect.fail-awaited-order',
  `update openid_connect_orders set state = 'failed', sealed = null, reason = $reason::text
   where reference = $reference::text and state = 'pending' and expires_at > $at::timestamptz
   returning reference`,
)

/** No row if it was used before. */
export const insertUsedLogoutToken = defineStatement<
  { token_hash: Buffer },
  {
    tokenHash: Buffer
    logoutSidMac: Buffer | null
    logoutSubMac: Buffer | null
    issuedAt: Date
    expiresAt: Date
  }
>(
  'openid-connect.insert-used-logout-token',
  `insert into used_logout_tokens (token_hash, logout_sid_mac, logout_sub_mac, issued_at, expires_at)
   values ($tokenHash::bytea, $logoutSidMac::bytea, $logoutSubMac::bytea, $issuedAt::timestamptz,
     $expiresAt::timestamptz)
   on conflict do nothing
   returning token_hash`,
)
