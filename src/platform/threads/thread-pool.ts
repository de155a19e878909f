import { Piscina } from 'piscina'
import { OverloadedError } from '../database/overloaded-error.ts'
import { createShareLimiter, type ShareLimiter } from '../database/share-limiter.ts'

/** What the module of a thread exports: functions of one argument. Errors lose their class between threads. */
type ThreadModule = Record<string, (task: never) => unknown>

interface ThreadPoolOptions {
  threadsMax: number
  /** Whether one thread starts with the pool and stays, so that the first task does not wait for it. */
  startsEarly?: boolean
  /** Tasks that wait for a thread: one more is an `OverloadedError`. Unbounded by default. */
  waitingMax?: number
  /** How long a task may take, its wait and the start of its thread included, in milliseconds. Unbounded by default. */
  msMax?: number
  /** Work of one company that waits for its turn, see `inTurn`; `callerWaitingMax` by default. */
  companyWaitingMax?: number
  /** The JavaScript heap of a thread. Beyond it the thread ends, and its task rejects with `ERR_WORKER_OUT_OF_MEMORY`. */
  resourceLimits?: { maxYoungGenerationSizeMb: number; maxOldGenerationSizeMb: number }
}

export interface ThreadPool<Module> {
  /** Does work that needs a thread when it is the company's turn: one piece at a time for each company. */
  inTurn: ShareLimiter
  /** Tasks that wait for a thread. */
  readonly waiting: number
  /**
   * Calls an exported function of the module in a thread.
   *
   * @param moved bytes of the task that are moved instead of copied: each must own its whole buffer, which is detached
   * @throws OverloadedError when too many tasks wait, or when this one takes too long; then its thread is ended
   */
  run<Name extends keyof Module & string>(
    name: Name,
    task: Module[Name] extends (task: infer Task) => unknown ? Task : never,
    moved?: readonly Uint8Array[],
  ): Promise<Module[Name] extends (task: never) => infer Answer ? Answer : never>
  close(): Promise<void>
}

/** Threads that are not used end after this time, in milliseconds. */
const idleMs = 60_000

/** Threads of `module`, which keep heavy work off the event loop. They start with the first task. */
export function createThreadPool<Module extends ThreadModule>(
  module: URL,
  options: ThreadPoolOptions,
): ThreadPool<Module> {
  const { threadsMax, startsEarly = false, waitingMax = Infinity, msMax, companyWaitingMax } = options
  const { resourceLimits } = options
  let started: Piscina | undefined
  const start = (): Piscina =>
    (started ??= new Piscina({
      filename: module.href,
      minThreads: startsEarly ? 1 : 0,
      maxThreads: threadsMax,
      idleTimeout: idleMs,
      recordTiming: false,
      ...(resourceLimits === undefined ? {} : { resourceLimits }),
    }))
  if (startsEarly) start()
  return {
    inTurn: createShareLimiter({
      runningMax: threadsMax,
      callerRunningMax: 1,
      ...(companyWaitingMax === undefined ? {} : { callerWaitingMax: companyWaitingMax }),
    }),
    get waiting() {
      return started?.queueSize ?? 0
    },
    run: async (name, task, moved = []) => {
      const threads = start()
      if (threads.queueSize >= waitingMax) throw new OverloadedError('too many tasks wait for a thread')
      const signal = msMax === undefined ? null : AbortSignal.timeout(msMax)
      const transferList = moved.map(({ buffer }) => buffer) as never
      try {
        return await threads.run(task, { name, transferList, signal })
      } catch (error) {
        if (signal?.aborted) throw new OverloadedError(`${name} took too long in its thread`)
        throw error
      }
    },
    close: async () => started?.destroy(),
  }
}
