import type { Pool } from 'pg'
import { defineStatement } from '../database/define-statement.ts'
import { inTransaction } from '../database/transaction.ts'
import type { MasterKeys } from './master-key.ts'
import { seal, unseal } from './seal.ts'

/** Values that are resealed in one transaction; the rest follow in the next. */
export const resealRowsMax = 100

/** Master keys that are counted: one more only with each change of the key. */
const fingerprintsMax = 1_000

/** A table with a column of sealed values. Each area defines its own. */
export interface SealedTable {
  readonly table: string
  /**
   * Seals under the current master key what is sealed under the previous one, in short transactions while the
   * service runs. Calls may run concurrently, and one that was interrupted is simply repeated.
   *
   * @returns how many values were resealed
   */
  reseal(context: { pool: Pool; keys: { master: MasterKeys } }): Promise<number>
  /** How many values are sealed under each master key. Reads one index within the statement's deadline. */
  count(context: { pool: Pool }): Promise<SealedCount[]>
}

interface SealedCount {
  fingerprint: Buffer
  sealed_rows: number
}

/** Seals and opens the values of a table, each bound to its row. */
export interface SealedValues<Key> extends SealedTable {
  seal(context: { keys: { master: MasterKeys } }, key: Key, value: string): Buffer
  /** @throws where the value was sealed under another master key, or for another row */
  unseal(context: { keys: { master: MasterKeys } }, key: Key, sealed: Buffer): string
}

/**
 * @param keyTypes the SQL types of the columns that name a row
 * @param toPlace the place that a row's value is sealed for (`seal.ts`)
 */
export function defineSealedTable<Key extends Record<string, string | Buffer>>(
  table: string,
  column: string,
  keyTypes: Record<keyof Key & string, string>,
  toPlace: (key: Key) => string,
): SealedValues<Key> {
  const types = Object.entries<string>(keyTypes)
  const columns = types.map(([name]) => name)
  const name = table.replaceAll('_', '-')
  // Rows that a concurrent call has locked are left to it.
  const lock = defineStatement<Key & { sealed: Buffer }, { fingerprint: Buffer; rowsMax: number }>(
    `keys.lock-sealed-${name}`,
    `select ${columns.join(', ')}, ${column} as sealed
     from ${table}
     where sealed_under = $fingerprint::bytea
     limit $rowsMax::integer
     for update skip locked`,
  )
  const count = defineStatement<SealedCount, Record<string, never>>(
    `keys.count-sealed-${name}`,
    `select sealed_under as fingerprint, count(*)::int4 as sealed_rows
     from ${table}
     where sealed_under is not null
     group by sealed_under
     limit ${fingerprintsMax}`,
  )
  const update = defineStatement<never, Record<string, unknown[]>>(
    `keys.update-sealed-${name}`,
    `update ${table}
     set ${column} = resealed.sealed
     from unnest(${types.map(([key, type]) => `$${key}::${type}[]`).join(', ')}, $sealed::bytea[])
       as resealed (${columns.join(', ')}, sealed)
     where ${columns.map((key) => `${table}.${key} = resealed.${key}`).join(' and ')}`,
  )
  return {
    table,
    count: ({ pool }) => count.rows(pool, {}),
    seal: ({ keys }, key, value) => seal(keys.master, value, toPlace(key)),
    unseal: ({ keys }, key, sealed) => unseal(keys.master, sealed, toPlace(key)).toString(),
    reseal: async ({ pool, keys: { master } }) => {
      const { previous } = master
      if (previous === undefined) return 0
      const resealSome = (): Promise<number> =>
        inTransaction(pool, async (client) => {
          const rows = await lock.rows(client, { fingerprint: previous.fingerprint, rowsMax: resealRowsMax })
          const sealed = rows.map((row) => {
            const place = toPlace(row)
            return seal(master, unseal(master, row.sealed, place), place)
          })
          const keys = columns.map((key) => [key, rows.map((row) => row[key])])
          if (rows.length > 0) await update.run(client, { ...Object.fromEntries(keys), sealed })
          return rows.length
        })
      let resealed = 0
      for (let rows = await resealSome(); rows > 0; rows = await resealSome()) resealed += rows
      return resealed
    },
  }
}
