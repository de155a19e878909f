import type { Pool } from 'pg'

/** Expired rows that one statement deletes; the rest go with the next. */
export const expiredRowsMax = 10_000

/**
 * Deletes some of what had expired at an instant (milliseconds since 1970), at most `expiredRowsMax` rows; returns how
 * many. What has expired is useless, deleted or not; but deleting cannot be undone, so the instant must certainly have
 * passed (`service/start-expiry-sweep.ts`). Any number of processes may call at once.
 */
export type DeleteExpired = (context: { pool: Pool }, atMs: number) => Promise<number>
