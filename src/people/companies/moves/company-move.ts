/**
 * - `copying`: nothing changes for the company, while what is stored is copied.
 * - `draining`: nothing of the company is parsed, so that what parsing found can be copied too.
 * - `held`: no delivery is accepted either, for at most `holdMsMax`.
 * - `moved`: the company is in the new shard; its rows in the old one are deleted later.
 * - `undone`: the company stays in the old shard; its rows in the new one are to be deleted.
 */
export type MovePhase = 'copying' | 'draining' | 'held' | 'moved' | 'undone'

/** A row of `company_moves`. */
export interface CompanyMove {
  companyId: string
  moveId: string
  from: number
  to: number
  phase: MovePhase
  /** How often the company has been held. */
  attempt: number
  heartbeatAt: Date
  heldAt: Date | null
  movedAt: Date | null
}

/** How long a company is held at most, in milliseconds. Then any process undoes the move. */
export const holdMsMax = 2_000

/** How long a mover gives no sign of life before any process undoes its move, in milliseconds. */
export const moverSilentMsMax = 15_000

export interface CompanyMoveRow {
  company_id: string
  move_id: string
  from_shard: number
  to_shard: number
  phase: MovePhase
  attempt: number
  heartbeat_at: Date
  held_at: Date | null
  moved_at: Date | null
}

export function toCompanyMove(row: CompanyMoveRow): CompanyMove {
  return {
    companyId: row.company_id,
    moveId: row.move_id,
    from: row.from_shard,
    to: row.to_shard,
    phase: row.phase,
    attempt: row.attempt,
    heartbeatAt: row.heartbeat_at,
    heldAt: row.held_at,
    movedAt: row.moved_at,
  }
}

/** Whether the mover has died, or takes too long. A wrong clock only makes a move fail. */
export function isStuck({ phase, heldAt, heartbeatAt }: CompanyMove, nowMs: number): boolean {
  if (phase === 'held') return nowMs - heldAt!.getTime() > holdMsMax
  return (phase === 'copying' || phase === 'draining') && nowMs - heartbeatAt.getTime() > moverSilentMsMax
}
