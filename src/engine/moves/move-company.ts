import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../platform/database/is-database-unavailable.ts'
import { findShardOfCompany } from '../../people/companies/find-shards.ts'
import type { CompanyMove } from '../../people/companies/moves/company-move.ts'
import { advanceMove, beat, beginMove, listMoves } from '../../people/companies/moves/transitions.ts'
import { copyAndSwitch } from './copy-company.ts'
import { endLeft, recoverMoves, type MoveContext } from './end-moves.ts'
import { MoveError } from './move-error.ts'
import { openMovePlace, type MovePlace } from './move-place.ts'
import type { OnStep } from './move-run.ts'
import { readMovedTables, type MovedTable } from './moved-tables.ts'

/** How often a mover gives a sign of life, in milliseconds. */
const heartbeatEveryMs = 1_000

/**
 * How long the rows in the old shard are kept after a switch, in milliseconds, even if the company moves again: a read that
 * was admitted before the switch may still be under way.
 */
const oldRowsKeptMsMin = 15_000

export interface MoveOptions {
  companyId: string
  to: number
  /** Undoes the move, up to the switch. */
  signal?: AbortSignal
  /** Called after each step. */
  onStep?: OnStep
  /** `oldRowsKeptMsMin` unless given. */
  oldRowsKeptMs?: number
}

export interface MovedCompany {
  from: number
  /** How long no delivery was accepted, in milliseconds. */
  heldMs: number
}

/** What is left of an earlier move is deleted first. */
async function endEarlierMove(context: MoveContext, options: MoveOptions): Promise<void> {
  const { companyId, signal, oldRowsKeptMs = oldRowsKeptMsMin } = options
  await recoverMoves(context, { companyId, ...(signal === undefined ? {} : { signal }) })
  const [earlier] = await listMoves(context.pool, companyId)
  if (earlier === undefined) return
  if (earlier.phase !== 'moved') throw new MoveError('moving')
  const keptMs = context.clock.now() - earlier.movedAt!.getTime()
  if (keptMs < oldRowsKeptMs) await sleep(oldRowsKeptMs - Math.max(0, keptMs), undefined, { signal })
  await endLeft(context, earlier, signal)
}

/** @throws MoveError if the shard does not answer, or not as another one does */
async function readTables(place: MovePlace): Promise<MovedTable[]> {
  try {
    return await readMovedTables(place.pool, place.shard)
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === '3F000'
    if (isMissing || isDatabaseUnavailable(error))
      throw new MoveError('unavailable', undefined, { cause: error })
    throw error
  }
}

async function readCommonTables(from: MovePlace, to: MovePlace): Promise<MovedTable[]> {
  const [ofFrom, ofTo] = await Promise.all([readTables(from), readTables(to)])
  if (JSON.stringify(ofFrom) !== JSON.stringify(ofTo)) throw new MoveError('not migrated')
  return ofFrom
}

/** Signs of life until it is disposed of. One that fails is followed by the next. */
function startHeartbeat(context: MoveContext, move: CompanyMove): Disposable {
  const timer = setInterval(() => {
    beat(context, move).catch((error: unknown) => {
      context.log.warn({ err: error, companyId: move.companyId }, 'a mover could not give a sign of life')
    })
  }, heartbeatEveryMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/**
 * Moves a company up to the switch, and leaves everything as it is where it fails: as if the process were killed.
 *
 * @throws MoveError, and what a statement throws
 */
export async function carryOutMove(context: MoveContext, options: MoveOptions): Promise<MovedCompany> {
  const { companyId, to: shard, signal = new AbortController().signal, onStep = () => {} } = options
  const fromShard = await findShardOfCompany(context.pool, companyId)
  if (fromShard === shard) throw new MoveError('same')
  const shards = await context.shards.list()
  if (!shards.some((at) => at.shard === shard)) throw new MoveError('no shard')
  await using from = openMovePlace(context, fromShard)
  await using to = openMovePlace(context, shard)
  const tables = await readCommonTables(from, to)
  await endEarlierMove(context, options)
  const move = await beginMove(context, companyId, shard)
  if (move === undefined) throw new MoveError('moving')
  using _ = startHeartbeat(context, move)
  await onStep('begun', move)
  // The company may have moved since it was looked up.
  if (move.from !== fromShard) throw new MoveError('moving')
  const heldMs = await copyAndSwitch({ context, from, to, tables, move, signal, onStep, copied: new Map() })
  return { from: fromShard, heldMs }
}

/** Undoes a move, unless the company is in the new shard by now. */
async function undo(context: MoveContext, { companyId, moveId }: CompanyMove): Promise<void> {
  const [move] = await listMoves(context.pool, companyId)
  if (move?.moveId !== moveId || move.phase === 'moved' || move.phase === 'undone') return
  await advanceMove(context, move, 'undone')
}

/**
 * Moves a company to another shard, while its deliveries are accepted. If it fails or is cancelled, the company is where it
 * was, and what was copied is deleted; if the process dies, another one does that.
 *
 * @throws MoveError with why the company has not moved
 */
export async function moveCompany(context: MoveContext, options: MoveOptions): Promise<MovedCompany> {
  const { companyId, signal, onStep } = options
  let begun: CompanyMove | undefined
  try {
    return await carryOutMove(context, {
      ...options,
      onStep: (step, move) => {
        begun = move
        return onStep?.(step, move)
      },
    })
  } catch (error) {
    if (begun !== undefined) await undo(context, begun)
    throw signal?.aborted ? new MoveError('cancelled') : error
  } finally {
    // What was copied in vain, or waits to be parsed where the company was. If this fails, other processes try again.
    if (begun !== undefined) await recoverMoves(context, { companyId }).catch(() => {})
  }
}
