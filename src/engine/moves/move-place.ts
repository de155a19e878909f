import type { Pool } from 'pg'
import type { DirectoryContext } from '../../context.ts'
import { pageLockTimeoutMs, wholeSourceTimeoutMs } from '../../platform/database/deadlines.ts'
import { createPool, endPool } from '../../platform/database/pool.ts'
import { toShardSchema } from '../../platform/database/schemas.ts'

/** One side of a move: a shard, and connections to the server that has it. */
export interface MovePlace {
  shard: number
  pool: Pool
}

/** Connections of a mover to each shard: to copy, and to look around meanwhile. */
const connectionsMax = 2

/** Opens connections of its own to a shard, on which a statement may take as long as copying takes. */
export function openMovePlace(
  { shards, log }: Pick<DirectoryContext, 'shards' | 'log'>,
  shard: number,
): MovePlace & AsyncDisposable {
  const pool = createPool({
    url: shards.get(shard).pool.options.connectionString!,
    schema: toShardSchema(shard),
    connectionsMax,
    name: 'numera move',
    statementTimeoutMs: wholeSourceTimeoutMs,
    transactionMsMax: wholeSourceTimeoutMs,
    lockTimeoutMs: pageLockTimeoutMs,
    onIdleError: (error) => log.warn({ err: error, shard }, 'a connection of a move broke'),
  })
  return { shard, pool, [Symbol.asyncDispose]: () => endPool(pool) }
}
