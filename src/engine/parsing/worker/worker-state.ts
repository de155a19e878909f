import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import { firstUuid } from '../../backlog/company-turns.ts'
import { queueCycle, type Queue } from '../../backlog/queues.ts'
import { BlockedCompanies } from './blocked-companies.ts'
import type { AttemptPauses } from './claim-queries.ts'
import { createPlanCache, type PlanCache } from './plan-cache.ts'

export interface WorkerLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface ParseWorkerOptions {
  /** From `createWorkerPool`: its statements are pipelined. One connection is used at a time. */
  pool: Pool
  /** The shard of the pool. */
  shard: number
  clock: Clock
  log: WorkerLog
  /** The queues that it serves; all by default. */
  queues?: readonly Queue[]
  /** At most this many deliveries a round; `roundDeliveriesMax` by default. */
  deliveriesMax?: number
  /** At most this many bytes of content a round; `roundBytesMax` by default. */
  bytesMax?: number
}

/** Deliveries of a round; the rest wait for the next. */
const roundDeliveriesMax = 500
/**
 * Bytes of their contents before compression, counted once for each projection; the rest wait for the next round, and a
 * larger delivery goes alone.
 */
const roundBytesMax = 8 * 1024 * 1024

/** A worker's progress in a queue. */
interface QueueState {
  /** The company that was served last. */
  after: string
  /** Deliveries to claim next; fewer if bytes cut the last batch short, since claimed rows are locked. */
  claimMax: number
  /**
   * All companies have had a turn since this worker began. What brought down the worker before it is the oldest of its
   * company, so everything claimed until then is marked.
   */
  isKnown: boolean
  /** The last time nothing was left waiting, not even rows that others had locked. */
  isQuiet: boolean
}

/** What a worker knows between its rounds. */
export interface WorkerState {
  readonly pool: Pool
  readonly shard: number
  readonly clock: Clock
  readonly log: WorkerLog
  readonly deliveriesMax: number
  readonly bytesMax: number
  /** Its queues, in the order in which rounds prefer them. */
  readonly cycle: readonly Queue[]
  readonly queues: ReadonlyMap<Queue, QueueState>
  readonly plans: PlanCache
  readonly blocked: BlockedCompanies
  /** How many rounds it has begun. */
  rounds: number
}

export function createWorkerState(options: ParseWorkerOptions): WorkerState {
  const { pool, shard, clock, log, queues = queueCycle } = options
  const { deliveriesMax = roundDeliveriesMax, bytesMax = roundBytesMax } = options
  const cycle = queueCycle.filter((queue) => queues.includes(queue))
  return {
    pool,
    shard,
    clock,
    log,
    deliveriesMax,
    bytesMax,
    cycle,
    queues: new Map(
      cycle.map((queue) => [
        queue,
        { after: firstUuid, claimMax: deliveriesMax, isKnown: false, isQuiet: false },
      ]),
    ),
    plans: createPlanCache(),
    blocked: new BlockedCompanies(),
    rounds: 0,
  }
}

/** How long a delivery that could not be parsed waits for its next attempt, in milliseconds; twice as long each time. */
export const retryDelayMs = 1_000
/** The longest that it waits, in milliseconds. */
export const retryDelayMsMax = 60 * 60_000

/** An attempt now, as statements record it. */
export function getAttempt(worker: WorkerState): AttemptPauses {
  return { atMs: worker.clock.now(), pauseMs: retryDelayMs, pauseMsMax: retryDelayMsMax }
}

/** The worker's time, for statements. */
export function getNow({ clock }: WorkerState): string {
  return new Date(clock.now()).toISOString()
}
