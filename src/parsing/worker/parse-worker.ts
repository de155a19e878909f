import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { isDatabaseUnavailable } from '../../database/is-database-unavailable.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isMarkedLane, type Lane } from '../../backlog/lanes.ts'
import { aggregateClaimed } from './aggregate-claimed.ts'
import { claimOfCompany, claimRows, markRows, roundCompaniesMax, takeMarkedRows } from './claim-rows.ts'
import { logFailed, recoverBatch } from './failed-attempts.ts'
import type { BacklogKey, ClaimedRow } from './queries.ts'
import { storeBatch, type StoredBatch } from './store-batch.ts'
import { createWorkerState, type ParseWorkerOptions, type WorkerState } from './worker-state.ts'

/** What one round did. */
export interface Round {
  /** Backlog rows done with; 0 when there was nothing to do. */
  deliveries: number
  rowsRead: number
  rowsRefused: number
  /** Cells that there were not before. */
  cellsAdded: number
  /** There may be more waiting. */
  isFull: boolean
}

/** A worker that parses deliveries from the backlog into the samples of their sources. */
export interface ParseWorker {
  /**
   * Claims some backlog of one lane, parses it and commits, in one transaction. Any number of workers may do so at once, in
   * any number of processes. Rejects where the database is unavailable, or nothing could be claimed at all.
   */
  round(): Promise<Round>
  /** Rounds until nothing is left that can be parsed now. */
  drain(): Promise<void>
}

/** What a round claims. */
type Turn =
  /** Some backlog of a lane, company by company. */
  | { kind: 'lane'; lane: Lane }
  /** The same, and before it is parsed it is stored that it is tried. */
  | { kind: 'marked lane'; lane: Lane }
  /** The small deliveries of one company that had to wait for a lock before. */
  | { kind: 'blocked company'; lane: 'small'; companyId: string }

/** Between two looks at what waits for locks, where nothing else is left. */
const drainPauseMs = 20

const nothing: Round = { deliveries: 0, rowsRead: 0, rowsRefused: 0, cellsAdded: 0, isFull: false }

export function createParseWorker(options: ParseWorkerOptions): ParseWorker {
  const worker = createWorkerState(options)
  return { round: () => runRound(worker), drain: () => drain(worker) }
}

async function drain(worker: WorkerState): Promise<void> {
  for (;;) {
    const { deliveries, isFull } = await runRound(worker)
    if (deliveries > 0 || isFull) continue
    if (worker.blocked.size === 0) return
    // They wait for a lock, which will be given back.
    await sleep(drainPauseMs)
  }
}

/** One round: a blocked company that is due every other time, else the preferred lane, else the first that has something. */
async function runRound(worker: WorkerState): Promise<Round> {
  const number = worker.rounds++
  const { cycle, lanes, blocked } = worker
  const companyId = lanes.has('small') && number % 2 === 1 ? blocked.due() : undefined
  if (companyId !== undefined) {
    const round = await runTurn(worker, { kind: 'blocked company', lane: 'small', companyId })
    if (round !== undefined) return round
  }
  const preferred = cycle[number % cycle.length]!
  for (const lane of new Set([preferred, ...cycle])) {
    const isMarked = isMarkedLane[lane] || !lanes.get(lane)!.isKnown
    const round = await runTurn(worker, { kind: isMarked ? 'marked lane' : 'lane', lane })
    if (round !== undefined) return round
  }
  return { ...nothing, isFull: blocked.due() !== undefined }
}

/** Claims, parses and stores one batch, in one transaction. Undefined where nothing could be claimed. */
async function runTurn(worker: WorkerState, turn: Turn): Promise<Round | undefined> {
  const { lane } = turn
  const marked = turn.kind === 'marked lane' ? await markRows(worker, lane) : undefined
  if (marked?.length === 0) return passEmpty(worker, turn)
  const isMarked = marked !== undefined
  let rows: ClaimedRow[] = []
  let stored: StoredBatch | undefined
  try {
    stored = await inTransaction(worker.pool, async (client) => {
      rows = await claim(worker, client, turn, marked)
      if (rows.length === 0) return undefined
      const batch = await aggregateClaimed(worker, client, lane, rows)
      return storeBatch(worker, client, batch, isMarked)
    })
  } catch (error) {
    if (isDatabaseUnavailable(error) || rows.length === 0) throw error
    await recoverBatch(worker, { lane, rows, isMarked }, error)
    return { ...nothing, isFull: true }
  }
  // Of marked rows all may be another worker's by now.
  if (stored === undefined) return isMarked ? { ...nothing, isFull: true } : passEmpty(worker, turn)
  for (const failed of stored.failed) logFailed(worker, failed, isMarked)
  return { ...stored.counts, isFull: passClaimed(worker, turn, rows, stored) }
}

async function claim(
  worker: WorkerState,
  client: PoolClient,
  turn: Turn,
  marked: BacklogKey[] = [],
): Promise<ClaimedRow[]> {
  switch (turn.kind) {
    case 'lane':
      return claimRows(worker, client, turn.lane)
    case 'marked lane':
      return takeMarkedRows(client, turn.lane, marked)
    case 'blocked company':
      return claimOfCompany(worker, client, turn.companyId)
  }
}

/** Goes on after there was nothing to claim. */
function passEmpty(worker: WorkerState, turn: Turn): undefined {
  if (turn.kind === 'blocked company') worker.blocked.delete(turn.companyId)
  else worker.lanes.get(turn.lane)!.isKnown = true
}

/** Goes on behind the companies that were served. Says whether there may be more. */
function passClaimed(worker: WorkerState, turn: Turn, rows: ClaimedRow[], stored: StoredBatch): boolean {
  if (turn.kind === 'blocked company') {
    worker.blocked.delete(turn.companyId)
    return true
  }
  const state = worker.lanes.get(turn.lane)!
  // Of one row that is small and had room beside it, it is known that there was no other.
  const isFull =
    stored.isCut || rows.length > 1 || isMarkedLane[turn.lane] || state.claimMax < roundCompaniesMax
  // Each company's first delivery comes before any one's second: the last company that is new was served last.
  const companies = new Set<string>()
  let after = ''
  for (const { company_id: company } of rows.slice(0, Math.max(1, stored.taken))) {
    if (companies.has(company)) continue
    companies.add(company)
    after = company
  }
  if (!isFull || after <= state.after) state.isKnown = true
  state.isQuiet = !isFull
  state.after = after
  // Rows claimed beyond the bytes of a batch are locked for nothing: as many next time as had room of these.
  const bytes = rows.reduce((sum, row) => sum + (row.sandbox === null ? 0 : row.content_bytes), 1)
  const fitting = Math.floor((rows.length * worker.bytesMax) / bytes)
  state.claimMax = Math.max(1, Math.min(worker.deliveriesMax, fitting))
  return isFull
}
