import type { Pool } from 'pg'
import type { Statement } from './define-statement.ts'

/** Expired rows that one statement deletes; the rest go with the next. */
export const expiredRowsMax = 10_000

/**
 * Deletes some of what had expired at an instant (milliseconds since 1970), at most `expiredRowsMax` rows; returns how
 * many. What has expired is useless, deleted or not; but deleting cannot be undone, so the instant must certainly have
 * passed (`service/start-expiry-sweep.ts`). Any number of processes may call at once.
 */
export type DeleteExpired = (context: { pool: Pool }, atMs: number) => Promise<number>

/**
 * The text of a statement that deletes at most `$rowsMax` rows of a table. A row that somebody else has locked is left
 * for the next sweep: waiting for it could be a deadlock.
 *
 * @param key columns of the table that name one row
 * @param condition which rows, as SQL; an index finds them
 */
export function deleteSomeRows(table: string, key: string, condition: string): string {
  return `
  delete from ${table}
  where (${key}) in (
    select ${key}
    from ${table}
    where ${condition}
    limit $rowsMax::integer
    for update skip locked
  )`
}

/** Runs such a statement, with the instant as its other parameter. */
export async function deleteExpiredBy(
  statement: Statement<never, { at: Date; rowsMax: number }>,
  pool: Pool,
  atMs: number,
): Promise<number> {
  return (await statement.run(pool, { at: new Date(atMs), rowsMax: expiredRowsMax })).rowCount ?? 0
}
