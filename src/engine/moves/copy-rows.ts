import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { listMoves } from '../../people/companies/moves/transitions.ts'
import type { CompanyMove } from '../../people/companies/moves/company-move.ts'
import { cutConnection, type Queryable } from '../../platform/database/pool.ts'
import { MoveError } from './move-error.ts'
import type { MovePlace } from './move-place.ts'
import { lockCopies } from './queries.ts'
import { copyIn, copyOut, selectCount, selectDigest, selectKeyAfter, type RowRange } from './row-range.ts'

/** Rows that are copied and compared in one transaction; those with a content, which may be large, are fewer. */
const rowsMax = 5_000
const deliveriesMax = 500

/** The longest that a mover rests after such a part, in milliseconds: as long as it took, so that others get their turn. */
const restMsMax = 1_000

// Between two statements nothing else listens for the connection's socket breaking.
function ignore(): void {}

/** Runs `work` on a connection that is closed if it fails: in the middle of a copy it is of no more use. */
async function onConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  client.on('error', ignore)
  let isClean = false
  try {
    const result = await work(client)
    isClean = true
    return result
  } finally {
    client.off('error', ignore)
    if (!isClean) cutConnection(client)
    client.release(!isClean)
  }
}

/**
 * Runs `work` in a transaction that writes to a shard what a move needs there, or deletes what it leaves. What undoes or
 * ends the move waits for it, and afterwards none begins.
 *
 * @throws MoveError if the move is no longer in one of the phases
 */
export async function inCopy<T>(
  { pool }: MovePlace,
  { companyId, moveId }: CompanyMove,
  phases: readonly CompanyMove['phase'][],
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return onConnection(pool, async (client) => {
    await client.query('begin')
    await lockCopies.run(client, { companyId })
    const [move] = await listMoves(client, companyId)
    if (move?.moveId !== moveId || !phases.includes(move.phase)) throw new MoveError('undone')
    const result = await work(client)
    await client.query('commit')
    return result
  })
}

export const copyingPhases = ['copying', 'draining', 'held'] as const

/** Copies rows from one shard into a transaction of another. */
export async function copyRange(
  from: MovePlace,
  client: PoolClient,
  range: RowRange,
  signal: AbortSignal,
): Promise<void> {
  await onConnection(from.pool, async (source) => {
    await pipeline(source.query(copyTo(copyOut(range))), client.query(copyFrom(copyIn(range.table))), {
      signal,
    })
  })
}

interface DigestRow {
  table_name: string
  rows: string
  digest: string
}

/**
 * Compares rows of two shards, by their number and a digest of them, or by their number only.
 *
 * @throws MoveError if they differ
 */
export async function compareRanges(
  from: Queryable,
  to: Queryable,
  ranges: readonly RowRange[],
  by: 'digest' | 'count' = 'digest',
): Promise<void> {
  if (ranges.length === 0) return
  const text = ranges.map(by === 'digest' ? selectDigest : selectCount).join(' union all ')
  const [before, after] = await Promise.all([from.query<DigestRow>(text), to.query<DigestRow>(text)])
  const copied = new Map(after.rows.map((row) => [row.table_name, row]))
  for (const { table_name: table, rows, digest } of before.rows) {
    const copy = copied.get(table)
    if (copy?.rows !== rows || copy.digest !== digest)
      throw new MoveError('different', `${table}: ${rows} rows, of which ${copy?.rows ?? 0} were copied`)
  }
}

/**
 * Copies rows and compares them, part by part, each in a transaction of its own. Nothing may add to the range or change it
 * meanwhile.
 */
export async function copyInParts(
  { from, to, move, signal }: { from: MovePlace; to: MovePlace; move: CompanyMove; signal: AbortSignal },
  range: RowRange,
): Promise<void> {
  const partMax = range.table.name === 'deliveries' ? deliveriesMax : rowsMax
  // The key of the backlog begins with the queue, and that of few tables is the company alone.
  const isParted = range.table.name !== 'backlog' && range.table.key.length > 0
  for (let after: readonly string[] | undefined; ;) {
    signal.throwIfAborted()
    const startedMs = performance.now()
    const rest: RowRange = { ...range, keys: { after } }
    const next = isParted
      ? (await from.pool.query<{ key: string[] }>(selectKeyAfter(rest, partMax))).rows[0]?.key
      : undefined
    const part: RowRange = { ...range, keys: { after, upTo: next } }
    await inCopy(to, move, copyingPhases, async (client) => {
      await copyRange(from, client, part, signal)
      await compareRanges(from.pool, client, [part])
    })
    if (next === undefined) return
    after = next
    await sleep(Math.min(restMsMax, performance.now() - startedMs), undefined, { signal })
  }
}
