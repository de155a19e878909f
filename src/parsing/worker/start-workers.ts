import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Context } from '../../service/context.ts'
import { laneCycle, smallDeliveryBytesMax, type Lane } from '../../backlog/lanes.ts'
import type { FromWorker, WorkerThreadData, ToWorker } from './worker-messages.ts'
import { WorkerSignal, smallIndex, type WorkerGroup } from './worker-signal.ts'
import { setWakeWorker } from '../../backlog/wake.ts'

const restartDelayMs = 1_000

/**
 * How long workers may take to end what they are at when the process stops, in milliseconds. Then their threads are ended,
 * and what they had not committed is read again by the next start.
 */
export const workerStopMsMax = 5_000

/**
 * A worker keeps large things outside the heap, and what is in it dies young: with room for more, the collector would only
 * come later. What it needs at most is far below the limit of the old part; a thread that reaches it ends and is started anew.
 */
export const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

const send = (worker: Worker | undefined, message: ToWorker): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  worker?.postMessage(message)
}

/**
 * Starts this process's workers, as many as the configuration says and one beside them that reads small deliveries only,
 * each in a thread of its own with connections of its own, and keeps them running. Disposing of them lets the
 * transactions under way end, for a while (`workerStopMsMax`).
 */
export const startWorkers = async (
  context: Pick<Context, 'config' | 'pool' | 'clock' | 'log' | 'telemetry'>,
): Promise<AsyncDisposable> => {
  const { clock, log, telemetry } = context
  const { count, pollIntervalMs } = context.config.worker
  const databaseUrl = context.pool.options.connectionString!
  const threads = count === 0 ? 0 : 1 + count
  const signal = WorkerSignal.forWorkers(threads)
  const workers = new Map<number, Worker>()
  const restarts = new Set<NodeJS.Timeout>()
  let isStopping = false

  const lanesOf = (index: number): readonly Lane[] => {
    if (index === smallIndex) return ['small']
    // Where there is one thread for the others, it is for the others.
    return count > 1 ? laneCycle : laneCycle.filter((lane) => lane !== 'small')
  }

  const wakeOne = (group: WorkerGroup): void => {
    const index = signal.wakeOne(group)
    if (index >= 0) send(workers.get(index), 'wake')
  }

  const wake = (contentBytes?: number): void => {
    if (contentBytes === undefined || contentBytes <= smallDeliveryBytesMax) wakeOne('small')
    if (contentBytes === undefined || contentBytes > smallDeliveryBytesMax) wakeOne('others')
  }

  const onMessage = (message: FromWorker): void => {
    switch (message.kind) {
      case 'round':
        telemetry.rowsRead.inc(message.rowsRead)
        telemetry.rowsRefused.inc(message.rowsRefused)
        telemetry.readSeconds.observe(message.durationMs / 1_000)
        telemetry.cellsAdded.inc(message.cellsAdded)
        // More than one can take: let the others help.
        if (message.isFull && count > 1) wakeOne('others')
        break
      case 'backlog':
        for (const { lane, deliveries, oldestMs } of message.lanes) {
          const ageSeconds = oldestMs === null ? 0 : Math.max(0, (clock.now() - oldestMs) / 1_000)
          telemetry.backlogDeliveries.set({ lane }, deliveries)
          telemetry.backlogAgeSeconds.set({ lane }, ageSeconds)
        }
        break
      case 'log':
        log[message.level](message.details, message.message)
        break
    }
  }

  const start = (index: number): void => {
    const data: WorkerThreadData = {
      databaseUrl,
      pollIntervalMs,
      index,
      lanes: lanesOf(index),
      signal: signal.memory,
      clockShift: clock.shift,
    }
    const worker = new Worker(join(import.meta.dirname, 'worker-thread.ts'), {
      workerData: data,
      name: index === smallIndex ? 'reader of small deliveries' : `reader ${index}`,
      resourceLimits,
    })
    workers.set(index, worker)
    worker.on('message', onMessage)
    worker.on('error', (error) => log.error({ err: error }, 'a reader failed'))
    worker.on('exit', () => {
      workers.delete(index)
      signal.setIdle(index, false)
      if (isStopping) return
      const restart = setTimeout(() => {
        restarts.delete(restart)
        start(index)
      }, restartDelayMs)
      restarts.add(restart)
    })
  }

  for (let index = 0; index < threads; index++) start(index)
  if (threads > 0) setWakeWorker(wake)

  return {
    [Symbol.asyncDispose]: async () => {
      isStopping = true
      for (const restart of restarts) clearTimeout(restart)
      const impatient = setTimeout(() => {
        log.warn({ workers: workers.size }, 'workers are ended in the middle of a round')
        for (const worker of workers.values()) void worker.terminate()
      }, workerStopMsMax)
      await Promise.all(
        [...workers.values()].map(
          (worker) =>
            new Promise<void>((resolve) => {
              worker.once('exit', () => resolve())
              send(worker, 'stop')
            }),
        ),
      )
      clearTimeout(impatient)
    },
  }
}
