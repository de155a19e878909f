import type { Pool, PoolClient } from 'pg'
import { isOnCitus } from '../pool.ts'
import { inTransaction } from '../transaction.ts'
import { awaitTurn } from './queries.ts'

/**
 * As `inTransaction`, for what changes the directory. On Citus such transactions run one at a time: a change of a reference
 * table locks the whole table there and those that it refers to, so that two would wait for each other. A change that is one
 * statement and refers to one table at most can do without.
 */
export async function inDirectoryTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    if (isOnCitus(client)) await awaitTurn.run(client, {})
    return work(client)
  })
}
