import { defineExpiry } from '../../platform/database/expired-rows.ts'

export const deleteExpiredBankIdOrders = defineExpiry('bankid_orders', 'reference')

/** Orders whose time was over, settled or not: ours, and those of each provider. */
export const deleteExpiredOrders = [
  defineExpiry('identity_orders', 'order_id'),
  defineExpiry('demo_identity_orders', 'reference'),
  deleteExpiredBankIdOrders,
  defineExpiry('openid_connect_orders', 'reference'),
]

/** Logout tokens that could no longer be used again, nor end a sign-in. */
export const deleteUsedLogoutTokens = defineExpiry('used_logout_tokens', 'token_hash')
