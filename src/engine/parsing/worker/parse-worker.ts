import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { isDatabaseUnavailable } from '../../../platform/database/is-database-unavailable.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { isMarkedQueue, type Queue } from '../../backlog/queues.ts'
import { aggregateClaimed } from './aggregate-claimed.ts'
import { claimOfCompany, claimRows, markRows, roundCompaniesMax, claimMarkedRows } from './claim-rows.ts'
import { logFailed, recoverBatch } from './failed-attempts.ts'
import type { BacklogKey, ClaimedRow } from './claim-queries.ts'
import { storeBatch, type StoredBatch } from './store-batch.ts'
import { createWorkerState, type ParseWorkerOptions, type WorkerState } from './worker-state.ts'

/** What one round did. */
export interface Round {
  /** Backlog rows finished; 0 when there was nothing to do. */
  deliveries: number
  rowsRead: number
  rowsRefused: number
  /** Cells that are new. */
  cellsAdded: number
  /** More may be waiting. */
  isFull: boolean
}

/** A worker that parses deliveries from the backlog into the samples of their sources. */
export interface ParseWorker {
  /**
   * Claims some of one queue's backlog, parses it and commits, in one transaction. Any number of workers in any number
   * of processes may do this concurrently. Rejects if the database is unavailable or the claim itself fails.
   */
  round(): Promise<Round>
  /** Runs rounds until nothing is left that can be parsed now. */
  drain(): Promise<void>
}

/** What a round claims. */
type Turn =
  /** Some of a queue's backlog, company by company. */
  | { kind: 'queue'; queue: Queue }
  /** The same, but the attempt is stored before it is made. */
  | { kind: 'marked queue'; queue: Queue }
  /** The small deliveries of one company, which had to wait for a lock before. */
  | { kind: 'blocked company'; queue: 'small'; companyId: string }

/** The pause between two tries when all that is left waits for locks. */
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
    // They wait for a lock that will be released.
    await sleep(drainPauseMs)
  }
}

/**
 * One round: every other time a blocked company that is due; else the preferred queue, or the next that has something.
 */
async function runRound(worker: WorkerState): Promise<Round> {
  const number = worker.rounds++
  const { cycle, queues, blocked } = worker
  const companyId = queues.has('small') && number % 2 === 1 ? blocked.due() : undefined
  if (companyId !== undefined) {
    const round = await runTurn(worker, { kind: 'blocked company', queue: 'small', companyId })
    if (round !== undefined) return round
  }
  const preferred = cycle[number % cycle.length]!
  for (const queue of new Set([preferred, ...cycle])) {
    const isMarked = isMarkedQueue[queue] || !queues.get(queue)!.isKnown
    const round = await runTurn(worker, { kind: isMarked ? 'marked queue' : 'queue', queue })
    if (round !== undefined) return round
  }
  return { ...nothing, isFull: blocked.due() !== undefined }
}

/** Claims, parses and stores one batch, in one transaction. Undefined if there was nothing to claim. */
async function runTurn(worker: WorkerState, turn: Turn): Promise<Round | undefined> {
  const { queue } = turn
  const marked = turn.kind === 'marked queue' ? await markRows(worker, queue) : undefined
  if (marked?.length === 0) return passEmpty(worker, turn)
  const isMarked = marked !== undefined
  let rows: ClaimedRow[] = []
  let stored: StoredBatch | undefined
  try {
    stored = await inTransaction(worker.pool, async (client) => {
      rows = await claim(worker, client, turn, marked)
      if (rows.length === 0) return undefined
      const batch = await aggregateClaimed(worker, client, queue, rows)
      return storeBatch(worker, client, batch, isMarked)
    })
  } catch (error) {
    if (isDatabaseUnavailable(error) || rows.length === 0) throw error
    await recoverBatch(worker, { queue, rows, isMarked }, error)
    return { ...nothing, isFull: true }
  }
  // By now another worker may have all the marked rows.
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
    case 'queue':
      return claimRows(worker, client, turn.queue)
    case 'marked queue':
      return claimMarkedRows(worker, client, turn.queue, marked)
    case 'blocked company':
      return claimOfCompany(worker, client, turn.companyId)
  }
}

/** Notes that there was nothing to claim. */
function passEmpty(worker: WorkerState, turn: Turn): undefined {
  if (turn.kind === 'blocked company') worker.blocked.delete(turn.companyId)
  else worker.queues.get(turn.queue)!.isKnown = true
}

/** Notes which companies were served, so that the next round starts after them. Says whether there may be more. */
function passClaimed(worker: WorkerState, turn: Turn, rows: ClaimedRow[], stored: StoredBatch): boolean {
  if (turn.kind === 'blocked company') {
    worker.blocked.delete(turn.companyId)
    return true
  }
  const state = worker.queues.get(turn.queue)!
  // A single small row, where more could be claimed, means that the queue has no other.
  const isFull =
    stored.isCut || rows.length > 1 || isMarkedQueue[turn.queue] || state.claimMax < roundCompaniesMax
  // Every company's first delivery comes before any second one: the last company to appear was served last.
  const companies = new Set<string>()
  let after = ''
  for (const { company_id: company } of rows.slice(0, Math.max(1, stored.handled))) {
    if (companies.has(company)) continue
    companies.add(company)
    after = company
  }
  if (!isFull || after <= state.after) state.isKnown = true
  state.isQuiet = !isFull
  state.after = after
  // Rows that do not fit a batch are locked for nothing: next time claim as many as would have fitted.
  const bytes = rows.reduce((sum, row) => sum + (row.sandbox === null ? 0 : row.content_bytes), 1)
  const fitting = Math.floor((rows.length * worker.bytesMax) / bytes)
  state.claimMax = Math.max(1, Math.min(worker.deliveriesMax, fitting))
  return isFull
}
