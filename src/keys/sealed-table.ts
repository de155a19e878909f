import type { Pool } from 'pg'
import type { Statement } from '../database/define-statement.ts'
import type { Queryable } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { MasterKeys } from './master-key.ts'
import { seal, unseal } from './seal.ts'

/** Values that are sealed anew in one transaction; the rest goes with the next. */
export const resealRowsMax = 100

/** A table with a column of sealed values. Each area defines its own. */
export interface SealedTable {
  readonly table: string
  /**
   * Seals anew, under the current master key, what is sealed under the previous one, in short transactions while the
   * service runs. Any number of calls may run at once, and one that was interrupted is simply repeated.
   *
   * @returns how many values were sealed anew
   */
  reseal(context: { pool: Pool; keys: { master: MasterKeys } }): Promise<number>
}

export function defineSealedTable<Row extends { sealed: Buffer }>(definition: {
  table: string
  /** Takes at most `rowsMax` rows whose value is under a key and that no one else holds, and locks them. */
  take: Statement<Row, { fingerprint: Buffer; rowsMax: number }>
  /** The place that a row's value is sealed for. */
  placeOf: (row: Row) => string
  /** Writes the values, in the rows that were taken. */
  put: (on: Queryable, rows: readonly Row[]) => Promise<unknown>
}): SealedTable {
  const { table, take, placeOf, put } = definition
  return {
    table,
    reseal: async ({ pool, keys: { master } }) => {
      const { previous } = master
      if (previous === undefined) return 0
      const part = (): Promise<number> =>
        inTransaction(pool, async (client) => {
          const rows = await take.rows(client, { fingerprint: previous.fingerprint, rowsMax: resealRowsMax })
          const anew = rows.map((row) => {
            const place = placeOf(row)
            return { ...row, sealed: seal(master, unseal(master, row.sealed, place), place) }
          })
          if (anew.length > 0) await put(client, anew)
          return rows.length
        })
      let resealed = 0
      for (let rows = await part(); rows > 0; rows = await part()) resealed += rows
      return resealed
    },
  }
}
