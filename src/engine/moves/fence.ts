import { setTimeout as sleep } from 'node:timers/promises'
import { toShardSchema } from '../../platform/database/schemas.ts'
import type { MovePlace } from './move-place.ts'
import { selectUnended, selectWriters } from './queries.ts'

const pollMs = 5

/**
 * Waits until every transaction has ended that may write to some tables of the pool's shard by what it saw before now.
 *
 * A statement locks its tables before it takes the snapshot in which it looks where a company is, and its transaction keeps
 * the locks. So these locks show every transaction that may have seen where a company was before the last commit, of any process
 * and prepared ones too; and one that locks a table later sees the commit. `create index concurrently` waits in
 * the same way. Nothing waits for this.
 *
 * @returns false if some have not ended within `msMax`
 */
export async function awaitWriters(
  { pool, shard }: MovePlace,
  tables: readonly string[],
  msMax: number,
): Promise<boolean> {
  const untilMs = performance.now() + msMax
  let writers = (await selectWriters.rows(pool, { schema: toShardSchema(shard), tables })).map(
    (row) => row.writer,
  )
  while (writers.length > 0) {
    if (performance.now() > untilMs) return false
    await sleep(pollMs)
    writers = (await selectUnended.rows(pool, { writers })).map((row) => row.writer)
  }
  return true
}
