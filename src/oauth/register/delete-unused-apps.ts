import { expiredRowsMax, type DeleteExpired } from '../../database/expired-rows.ts'
import { deleteUnusedApps as deleteSome } from './queries.ts'

/** How long an app is kept that nobody uses, in milliseconds. Then the expiry sweep deletes it. */
export const unusedMs = 30 * 24 * 60 * 60_000

/**
 * Deletes the apps that nobody had used for 30 days, counted from their registration or last use (specification "Token
 * and lifetime table"). What a member still allowed something is kept.
 */
export const deleteUnusedApps: DeleteExpired = (context, atMs) =>
  deleteSome(context.pool, new Date(atMs - unusedMs), new Date(atMs), expiredRowsMax)
