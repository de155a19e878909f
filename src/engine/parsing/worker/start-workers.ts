import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Context } from '../../../context.ts'
import { queueCycle, smallDeliveryBytesMax, type Queue } from '../../backlog/queues.ts'
import type { FromWorker, WorkerThreadData, ToWorker } from './worker-messages.ts'
import { WorkerSignal, smallIndex, type WorkerGroup } from './worker-signal.ts'
import { setWakeWorker } from '../../backlog/wake.ts'

const restartDelayMs = 1_000

/**
 * How long workers may take to finish their round when the process stops, in milliseconds. Then their threads are
 * terminated, and what they had not committed is parsed again after the next start.
 */
const workerStopMsMax = 5_000

/**
 * A worker keeps large data outside the heap, and what is on the heap dies young: a larger young generation would only
 * delay collections. It needs far less than the limit of the old generation; a thread that reaches it is restarted.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

type WorkersContext = Pick<Context, 'config' | 'pool' | 'clock' | 'log' | 'telemetry'>

/**
 * Starts this process's workers and keeps them running: as many as configured, and one more that parses small
 * deliveries only, each in a thread of its own with connections of its own. Disposing of them gives the transactions
 * under way some time to end (`workerStopMsMax`).
 */
export async function startWorkers(context: WorkersContext): Promise<AsyncDisposable> {
  const { count } = context.config.worker
  const workers = new WorkerThreads(context, count === 0 ? 0 : 1 + count)
  workers.start()
  return workers
}

/** The threads of this process's workers. */
class WorkerThreads implements AsyncDisposable {
  readonly #context: WorkersContext
  readonly #count: number
  readonly #signal: WorkerSignal
  readonly #workers = new Map<number, Worker>()
  readonly #restarts = new Set<NodeJS.Timeout>()
  #isStopping = false

  constructor(context: WorkersContext, count: number) {
    this.#context = context
    this.#count = count
    this.#signal = WorkerSignal.forWorkers(count)
  }

  start(): void {
    for (let index = 0; index < this.#count; index++) this.#startOne(index)
    if (this.#count > 0) setWakeWorker((contentBytes, shard) => this.#wake(contentBytes, shard))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    for (const restart of this.#restarts) clearTimeout(restart)
    const workers = [...this.#workers.values()]
    const deadline = setTimeout(() => {
      this.#context.log.warn({ workers: this.#workers.size }, 'workers are ended in the middle of a round')
      for (const worker of workers) void worker.terminate()
    }, workerStopMsMax)
    await Promise.all(workers.map(stopped))
    clearTimeout(deadline)
  }

  #startOne(index: number): void {
    const { config, pool, clock, log } = this.#context
    const data: WorkerThreadData = {
      databaseUrl: pool.options.connectionString!,
      pollIntervalMs: config.worker.pollIntervalMs,
      index,
      queues: selectQueues(index, config.worker.count),
      signal: this.#signal.memory,
      clockShift: clock.shift,
    }
    const worker = new Worker(join(import.meta.dirname, 'worker-thread.ts'), {
      workerData: data,
      name: index === smallIndex ? 'worker of small deliveries' : `worker ${index}`,
      resourceLimits,
    })
    this.#workers.set(index, worker)
    worker.on('message', (message: FromWorker) => this.#onMessage(message))
    worker.on('error', (error) => log.error({ err: error }, 'a worker failed'))
    worker.on('exit', () => this.#onExit(index))
  }

  #onExit(index: number): void {
    this.#workers.delete(index)
    this.#signal.setIdle(index, false)
    if (this.#isStopping) return
    const restart = setTimeout(() => {
      this.#restarts.delete(restart)
      this.#startOne(index)
    }, restartDelayMs)
    this.#restarts.add(restart)
  }

  #onMessage(message: FromWorker): void {
    const { config, clock, log, telemetry } = this.#context
    switch (message.kind) {
      case 'round':
        telemetry.rowsAccepted.inc(message.rowsRead)
        telemetry.rowsRefused.inc(message.rowsRefused)
        telemetry.parseSeconds.observe(message.durationMs / 1_000)
        telemetry.cellsAdded.inc(message.cellsAdded)
        // There is more than one worker can parse: wake the others.
        if (message.isFull && config.worker.count > 1) this.#wakeOne('others')
        break
      case 'backlog':
        for (const { queue, deliveries, oldestMs } of message.queues) {
          const ageSeconds = oldestMs === null ? 0 : Math.max(0, (clock.now() - oldestMs) / 1_000)
          telemetry.backlogDeliveries.set({ queue }, deliveries)
          telemetry.backlogAgeSeconds.set({ queue }, ageSeconds)
        }
        break
      case 'log':
        log[message.level](message.details, message.message)
        break
    }
  }

  #wake(contentBytes?: number, shard?: number): void {
    this.#signal.addNews(shard)
    if (contentBytes === undefined || contentBytes <= smallDeliveryBytesMax) this.#wakeOne('small')
    if (contentBytes === undefined || contentBytes > smallDeliveryBytesMax) this.#wakeOne('others')
  }

  #wakeOne(group: WorkerGroup): void {
    const index = this.#signal.wakeOne(group)
    if (index >= 0) send(this.#workers.get(index), 'wake')
  }
}

/** The queues of one of the process's workers; `count` of them parse more than small deliveries. */
function selectQueues(index: number, count: number): readonly Queue[] {
  if (index === smallIndex) return ['small']
  // A single thread for the other queues serves only those.
  return count > 1 ? queueCycle : queueCycle.filter((queue) => queue !== 'small')
}

/** Tells a worker to stop, and waits until its thread has ended. */
async function stopped(worker: Worker): Promise<void> {
  await new Promise<void>((resolve) => {
    worker.once('exit', () => resolve())
    send(worker, 'stop')
  })
}

function send(worker: Worker | undefined, message: ToWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  worker?.postMessage(message)
}
