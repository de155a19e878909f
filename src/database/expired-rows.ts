import type { Pool } from 'pg'

/** Expired rows that one statement deletes; what is left goes with the next. */
export const expiredRowsMax = 10_000

/**
 * Deletes some of what had expired at an instant (milliseconds since 1970), at most `expiredRowsMax` rows, and says how many.
 * What expired opens nothing any more, deleted or not; but deleting cannot be undone, so the instant has to be one that has
 * surely been (`service/start-expiry-sweep.ts`). Any number of processes may call at once.
 */
export type DeleteExpired = (context: { pool: Pool }, atMs: number) => Promise<number>
