import type { Pool } from 'pg'
import { deleteExpiredBy } from '../../database/expired-rows.ts'
import { deleteOpenIdConnectOrdersExpiredBy, deleteUsedLogoutTokensExpiredBy } from './queries.ts'

/** Deletes some of the orders at the OpenID Connect provider that had expired at an instant (`DeleteExpired`). */
export function deleteExpiredOpenIdConnectOrders(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteOpenIdConnectOrdersExpiredBy, context.pool, atMs)
}

/** The same for logout tokens that are too old to be used again, and end no sign-in any more. */
export function deleteUsedLogoutTokens(context: { pool: Pool }, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteUsedLogoutTokensExpiredBy, context.pool, atMs)
}
