import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createShiftedClock, monotonicClock, systemClock } from '../../../platform/clock/clock.ts'
import { watchPlacements } from '../../../platform/database/placements.ts'
import { queueCycle, queues } from '../../backlog/queues.ts'
import type { FromWorker, WorkerThreadData, ToWorker } from './worker-messages.ts'
import { WorkerSignal } from './worker-signal.ts'
import { createShardTurns } from './shard-turns.ts'
import { runWorker } from './run-worker.ts'

/** The thread of one worker: parsing a delivery of any size does not delay requests on the main thread. */

const measureIntervalMs = 5_000
/** The worker that also does what is done once a process: measuring, and the maintenance of projections. */
const commonIndex = 1

const {
  databaseUrl,
  pollIntervalMs,
  index,
  queues: own,
  signal: memory,
  clockShift,
} = workerData as WorkerThreadData
const clock = clockShift === undefined ? systemClock : createShiftedClock(monotonicClock, clockShift)
// On a busy machine calls go before large deliveries. Only Linux has priorities for threads; elsewhere this would
// change the whole process.
if (process.platform === 'linux' && own.includes('large'))
  setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
const port = parentPort!
function tell(message: FromWorker): void {
  port.postMessage(message)
}

/** Errors lose their non-standard properties on the way to another thread. */
function plain(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => {
      if (!(value instanceof Error)) return [key, value]
      const { name: type, message, stack } = value
      return [key, { type, message, code: (value as { code?: unknown }).code, stack }]
    }),
  )
}

const log = {
  info: (details: object, message: string) =>
    tell({ kind: 'log', level: 'info', details: plain(details), message }),
  warn: (details: object, message: string) =>
    tell({ kind: 'log', level: 'warn', details: plain(details), message }),
  error: (details: object, message: string) =>
    tell({ kind: 'log', level: 'error', details: plain(details), message }),
}

const signal = new WorkerSignal(memory)
const placements = await watchPlacements(databaseUrl)
const turns = createShardTurns({
  databaseUrl,
  clock,
  log,
  queues: own,
  pollIntervalMs,
  newsOf: (shard) => signal.newsOf(shard),
})

const running = runWorker({
  worker: turns.worker,
  ...(index === commonIndex ? { projections: turns.projections } : {}),
  log,
  pollIntervalMs,
  onRound: ({ deliveries, rowsRead, rowsRefused, cellsAdded, durationMs, isFull }) =>
    tell({ kind: 'round', deliveries, rowsRead, rowsRefused, cellsAdded, durationMs, isFull }),
  onIdle: (isIdle) => signal.setIdle(index, isIdle),
  news: () => signal.news(index),
})

let isMeasuring = false
async function measure(): Promise<void> {
  // At most one connection of each shard is used for this, however slow the database is.
  if (isMeasuring) return
  isMeasuring = true
  try {
    const rows = await turns.measure()
    const named = rows.map(({ queue: number, deliveries, oldest }) => {
      const queue = queueCycle.find((name) => queues[name] === number)!
      return { queue, deliveries, oldestMs: oldest?.getTime() ?? null }
    })
    tell({ kind: 'backlog', queues: named })
  } catch {
    // The worker's rounds report that the database is unavailable.
  } finally {
    isMeasuring = false
  }
}
const measuring = index === commonIndex ? setInterval(() => void measure(), measureIntervalMs) : undefined

async function stop(): Promise<void> {
  clearInterval(measuring)
  await running.stop()
  await turns[Symbol.asyncDispose]()
  await placements[Symbol.asyncDispose]()
  port.close()
}

port.on('message', (message: ToWorker) => {
  if (message === 'wake') running.wake()
  else void stop()
})
