import type { Pool } from 'pg'
import { defineStatement } from './define-statement.ts'

/** Expired rows that one statement deletes; the rest go with the next. */
export const expiredRowsMax = 10_000

/** Deletes at most `expiredRowsMax` rows that had expired at an instant (milliseconds since 1970); returns how many. */
type DeleteRows = (context: { pool: Pool }, atMs: number) => Promise<number>

/**
 * Deletes expired rows of its table. Deleting cannot be undone, so the instant must certainly have passed
 * (`app/start-expiry-sweep.ts`). Processes may call it concurrently.
 */
export type DeleteExpired = DeleteRows & { readonly table: string }

export function deletesFrom(table: string, deleteRows: DeleteRows): DeleteExpired {
  return Object.assign(deleteRows, { table })
}

/**
 * The text of a statement that deletes at most `$rowsMax` rows of a table. A locked row is left for the
 * next sweep: waiting for it could deadlock.
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

/**
 * Deletes the rows of a table that had expired.
 *
 * @param key columns of the table that name one row
 * @param expiry the column that says when a row expires, or a condition on `$at`; an index finds the rows
 */
export function defineExpiry(table: string, key: string, expiry = 'expires_at'): DeleteExpired {
  const statement = defineStatement<never, { at: Date; rowsMax: number }>(
    `expiry.delete-${table.replaceAll('_', '-')}`,
    deleteSomeRows(table, key, expiry.includes('$') ? expiry : `${expiry} <= $at::timestamptz`),
  )
  return deletesFrom(table, async ({ pool }, atMs) => {
    const { rowCount } = await statement.run(pool, { at: new Date(atMs), rowsMax: expiredRowsMax })
    return rowCount ?? 0
  })
}
