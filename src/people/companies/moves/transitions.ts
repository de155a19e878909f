/**
 * The steps of a move. Each changes the one row of the move if it still is what the caller takes it to be, and otherwise
 * changes nothing: of a mover and the processes that undo what it does not finish, exactly one wins. No clock is part of that.
 */
import type { Pool } from 'pg'
import type { DirectoryContext } from '../../../context.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { uuidv7 } from '../../../formats/values/uuidv7.ts'
import { toCompanyMove, type CompanyMove, type MovePhase } from './company-move.ts'
import {
  deleteMove,
  insertMove,
  selectMoves,
  updateCompaniesOfShard,
  updateHeartbeat,
  updatePhase,
  updateShardOfCompany,
} from './queries.ts'

type MoveContext = Pick<DirectoryContext, 'pool' | 'clock'>

/** How long the switch waits for another transaction that writes the row of its company, or on Citus of any. Milliseconds. */
const switchLockTimeoutMs = 500

/** Undefined if the company moves already, is in the shard, or is being deleted. */
export async function beginMove(
  { pool, clock }: MoveContext,
  companyId: string,
  to: number,
): Promise<CompanyMove | undefined> {
  const now = clock.now()
  const row = await insertMove.first(pool, { companyId, moveId: uuidv7(now), to, at: new Date(now) })
  return row && toCompanyMove(row)
}

async function take(
  on: Queryable,
  { clock }: Pick<MoveContext, 'clock'>,
  { companyId, moveId, phase, attempt }: CompanyMove,
  next: MovePhase,
): Promise<CompanyMove | undefined> {
  const at = new Date(clock.now())
  const row = await updatePhase.first(on, { companyId, moveId, phase, attempt, next, at })
  return row && toCompanyMove(row)
}

/** Undefined if another process has undone the move. */
export function advanceMove(
  context: MoveContext,
  move: CompanyMove,
  next: 'draining' | 'held' | 'undone',
): Promise<CompanyMove | undefined> {
  return take(context.pool, context, move, next)
}

/**
 * From its commit on the company is in the new shard, and so is every look-up of it.
 *
 * @returns undefined if another process has undone the move
 */
export async function switchShard(context: MoveContext, move: CompanyMove): Promise<CompanyMove | undefined> {
  const { companyId, from, to } = move
  return inTransaction(context.pool, async (client) => {
    await client.query(`set local lock_timeout = ${switchLockTimeoutMs}`)
    const moved = await take(client, context, move, 'moved')
    if (moved === undefined) return undefined
    await updateShardOfCompany.run(client, { companyId, shard: to })
    // In the order of their numbers, so that two moves cannot deadlock.
    for (const shard of [from, to].toSorted((a, b) => a - b))
      await updateCompaniesOfShard.run(client, { shard, added: shard === to ? 1 : -1 })
    return moved
  })
}

/** Nothing is left of the move. */
export async function endMove(on: Queryable, move: CompanyMove): Promise<void> {
  const { companyId, moveId, phase, attempt } = move
  await deleteMove.run(on, { companyId, moveId, phase, attempt })
}

export async function beat({ pool, clock }: MoveContext, { companyId, moveId }: CompanyMove): Promise<void> {
  await updateHeartbeat.run(pool, { companyId, moveId, at: new Date(clock.now()) })
}

export type ListedMove = CompanyMove & { orgnr: string }

/** The moves that are under way or of which something is left, or those of one company. */
export async function listMoves(
  pool: Pool | Queryable,
  companyId: string | null = null,
): Promise<ListedMove[]> {
  const rows = await selectMoves.rows(pool, { companyId })
  return rows.map((row) => ({ ...toCompanyMove(row), orgnr: row.orgnr }))
}
