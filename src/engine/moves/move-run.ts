import type { CompanyMove } from '../../people/companies/moves/company-move.ts'
import { advanceMove } from '../../people/companies/moves/transitions.ts'
import type { MoveContext } from './end-moves.ts'
import { MoveError } from './move-error.ts'
import type { MovePlace } from './move-place.ts'
import type { MovedStage, MovedTable, MovedTableName } from './moved-tables.ts'
import type { RowRange } from './row-range.ts'

/** The steps after each of which a mover may die. */
export type MoveStep =
  | 'begun'
  | 'copied'
  | 'draining'
  | 'drained'
  | 'parsed copied'
  | 'held'
  | 'filled'
  | 'released'
  | 'moved'

export type OnStep = (step: MoveStep, move: CompanyMove) => Promise<void> | void

/** A move under way, in the process of its mover. */
export interface MoveRun {
  context: MoveContext
  from: MovePlace
  to: MovePlace
  tables: readonly MovedTable[]
  /** As it was after its last step. */
  move: CompanyMove
  signal: AbortSignal
  onStep: OnStep
  /** By table: the receive number up to which its rows are copied and compared, and the one before the last round. */
  copied: Map<MovedTableName, { before: bigint; upTo: bigint }>
}

/**
 * Takes the next step of a move.
 *
 * @throws MoveError if another process has undone it
 */
export async function advanceRun(run: MoveRun, next: 'draining' | 'held'): Promise<void> {
  const move = await advanceMove(run.context, run.move, next)
  if (move === undefined) throw new MoveError('undone')
  run.move = move
}

export function selectStage(run: MoveRun, ...stages: MovedStage[]): MovedTable[] {
  return run.tables.filter(({ stage }) => stages.includes(stage))
}

/** All rows of the company in a table. */
export function toRange(run: MoveRun, table: MovedTable): RowRange {
  return { table, companyId: run.move.companyId }
}
