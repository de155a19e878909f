import { expiredRowsMax } from '../../database/expired-rows.ts'
import type { Context } from '../../service/context.ts'
import { deleteAppsUnusedSince } from './queries.ts'

/** How long an unused app is kept, in milliseconds. Then the expiry sweep deletes it. */
export const unusedMs = 30 * 24 * 60 * 60_000

/**
 * Deletes the apps that had not been used for 30 days, counted from their registration or last use (specification
 * "Token and lifetime table"; `DeleteExpired`). An app that a member still allowed something stays.
 */
export async function deleteUnusedApps({ pool }: Pick<Context, 'pool'>, atMs: number): Promise<number> {
  const deleted = await deleteAppsUnusedSince.run(pool, {
    before: new Date(atMs - unusedMs),
    now: new Date(atMs),
    rowsMax: expiredRowsMax,
  })
  return deleted.rowCount ?? 0
}
