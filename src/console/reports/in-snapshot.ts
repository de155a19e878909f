import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '../../platform/database/transaction.ts'

/** Reads with several statements what was stored at one moment, so that all parts of an answer agree. */
export async function inSnapshot<T>(pool: Pool, read: (on: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only')
    return read(client)
  })
}
