import type { DirectoryContext } from '../../context.ts'
import { isStuck, type CompanyMove } from '../../people/companies/moves/company-move.ts'
import { advanceMove, endMove, listMoves } from '../../people/companies/moves/transitions.ts'
import { deleteLeft, deleteLeftBacklog, toLeftShard } from './delete-rows.ts'
import { MoveError } from './move-error.ts'
import { openMovePlace } from './move-place.ts'

export type MoveContext = Pick<DirectoryContext, 'pool' | 'shards' | 'clock' | 'log'>

/** Deletes what a move has left, and then the row of the move. */
export async function endLeft(context: MoveContext, move: CompanyMove, signal?: AbortSignal): Promise<void> {
  await using place = openMovePlace(context, toLeftShard(move))
  await deleteLeft(place, move, signal)
  await endMove(context.pool, move)
}

/** Deletes what a company that has just moved has left in the queues of its old shard. */
async function clearBacklog(context: MoveContext, move: CompanyMove): Promise<void> {
  await using place = openMovePlace(context, toLeftShard(move))
  await deleteLeftBacklog(place, move)
}

/** How long after a switch a process finishes what its mover began to delete, if it died. Milliseconds. */
const backlogClearedMs = 60_000

/**
 * Undoes a move whose mover has died, or takes too long. Any process may do so at any time: of it and the mover one wins, and
 * the company is in one place meanwhile.
 *
 * @returns undefined if there is nothing to undo, or the mover was quicker
 */
async function undoStuck(context: MoveContext, move: CompanyMove): Promise<CompanyMove | undefined> {
  if (!isStuck(move, context.clock.now())) return undefined
  const undone = await advanceMove(context, move, 'undone')
  if (undone !== undefined) {
    const { companyId, phase } = move
    context.log.warn({ companyId, phase }, 'a move to another shard was undone: its mover does not finish it')
  }
  return undone
}

/** What is left of moves that have ended a while ago is deleted by `deleteOldMoves`. */
async function recover(context: MoveContext, found: CompanyMove, signal?: AbortSignal): Promise<void> {
  const move = (await undoStuck(context, found)) ?? found
  if (move.phase === 'undone') await endLeft(context, move, signal)
  else if (move.phase === 'moved' && context.clock.now() - move.movedAt!.getTime() < backlogClearedMs)
    await clearBacklog(context, move)
}

/** One company's failure delays no other. */
async function forEachMove(
  context: MoveContext,
  moves: readonly CompanyMove[],
  act: (move: CompanyMove) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for (const move of moves) {
    if (signal?.aborted) return
    try {
      await act(move)
    } catch (error) {
      // Another process has done it meanwhile.
      if (signal?.aborted || (error instanceof MoveError && error.reason === 'undone')) continue
      context.log.warn({ err: error, companyId: move.companyId }, 'what a move has left could not be deleted')
    }
  }
}

/** Undoes the moves whose movers have died, and deletes what they left. Any number of processes may call. */
export async function recoverMoves(
  context: MoveContext,
  { companyId, signal }: { companyId?: string; signal?: AbortSignal } = {},
): Promise<void> {
  const moves = await listMoves(context.pool, companyId)
  await forEachMove(context, moves, (move) => recover(context, move, signal), signal)
}

/** Deletes what moves that ended before an instant have left in the old shards. Deleting cannot be undone. */
export async function deleteOldMoves(
  context: MoveContext,
  beforeMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const moves = await listMoves(context.pool)
  const old = moves.filter(({ phase, movedAt }) => phase === 'moved' && movedAt!.getTime() <= beforeMs)
  await forEachMove(context, old, (move) => endLeft(context, move, signal), signal)
}
