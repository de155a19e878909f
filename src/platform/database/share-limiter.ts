import type { Pool } from 'pg'
import { OverloadedError } from './overloaded-error.ts'

/** How long work waits for its turn before it is answered 503 with `Retry-After`, in milliseconds. */
export const turnWaitMsMax = 5_000

/** Work of one caller that waits for its turn; further work gets 503 immediately. */
export const callerWaitingMax = 100

/** The share of a pool's connections that one caller may use concurrently; at least one connection. */
export const callerShare = 1 / 2

interface ShareLimiterOptions {
  /** What is under way at the same time. */
  runningMax: number
  /** Of this, what is one caller's; read each time. */
  readonly callerRunningMax: number
  /** `turnWaitMsMax` by default. */
  waitMsMax?: number
  /** `callerWaitingMax` by default. */
  callerWaitingMax?: number
}

/**
 * Runs the work of a caller, usually a company, when its turn comes. Rejects with an `OverloadedError`, without running it,
 * if the turn does not come in time or too much of the caller's work is waiting.
 */
export type ShareLimiter = <T>(caller: string, work: () => Promise<T>) => Promise<T>

interface Waiting {
  start: () => void
}

interface CallersWork {
  running: number
  waiting: Waiting[]
}

/**
 * Shares something among callers: each runs at most `callerRunningMax` pieces of work, all together `runningMax`. Waiting
 * callers take turns, however much work each has.
 */
export function createShareLimiter(options: ShareLimiterOptions): ShareLimiter {
  const turns = new Turns(options)
  return async (caller, work) => {
    const own = turns.join(caller)
    if (!turns.tryStart(own)) await turns.wait(caller, own)
    try {
      return await work()
    } finally {
      turns.finish(caller, own)
    }
  }
}

/** Shares the connections of a pool: each caller has at most `callerShare` of them. */
export function createConnectionLimiter(
  pool: Pool,
  options: Pick<ShareLimiterOptions, 'callerWaitingMax' | 'waitMsMax'> = {},
): ShareLimiter {
  const runningMax = pool.options.max
  const callerRunningMax = Math.max(1, Math.floor(runningMax * callerShare))
  return createShareLimiter({ runningMax, callerRunningMax, ...options })
}

class Turns {
  readonly #options: ShareLimiterOptions
  readonly #runningMax: number
  readonly #waitMsMax: number
  readonly #callerWaitingMax: number
  /** Callers with work under way or waiting, in the order of their turns: one that had a turn goes to the end. */
  readonly #callers = new Map<string, CallersWork>()
  #running = 0

  constructor(options: ShareLimiterOptions) {
    this.#options = options
    this.#runningMax = options.runningMax
    this.#waitMsMax = options.waitMsMax ?? turnWaitMsMax
    this.#callerWaitingMax = options.callerWaitingMax ?? callerWaitingMax
  }

  /** @throws OverloadedError if too much work of the caller waits */
  join(caller: string): CallersWork {
    const own = this.#callers.get(caller) ?? { running: 0, waiting: [] }
    if (own.waiting.length >= this.#callerWaitingMax) {
      throw new OverloadedError('too much work of the caller waits')
    }
    this.#callers.set(caller, own)
    return own
  }

  /** Starts work if a turn is free, and returns whether it did. */
  tryStart(own: CallersWork): boolean {
    const isFree = this.#running < this.#runningMax && own.running < this.#options.callerRunningMax
    if (!isFree || own.waiting.length > 0) return false
    this.#count(own)
    return true
  }

  /** @throws OverloadedError if its turn does not come in time */
  wait(caller: string, own: CallersWork): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      own.waiting.splice(own.waiting.indexOf(waiting), 1)
      this.#deleteIdle(caller, own)
      reject(new OverloadedError('work did not get its turn in time'))
    }, this.#waitMsMax)
    const waiting: Waiting = {
      start: () => {
        clearTimeout(timer)
        resolve()
      },
    }
    own.waiting.push(waiting)
    this.#startNext()
    return promise
  }

  finish(caller: string, own: CallersWork): void {
    this.#running--
    own.running--
    this.#deleteIdle(caller, own)
    this.#startNext()
  }

  #startNext(): void {
    while (this.#running < this.#runningMax) {
      const next = [...this.#callers].find(
        ([, { running, waiting }]) => waiting.length > 0 && running < this.#options.callerRunningMax,
      )
      if (next === undefined) return
      const [caller, own] = next
      this.#callers.delete(caller)
      this.#callers.set(caller, own)
      this.#count(own)
      own.waiting.shift()!.start()
    }
  }

  #count(own: CallersWork): void {
    own.running++
    this.#running++
  }

  #deleteIdle(caller: string, own: CallersWork): void {
    if (own.running === 0 && own.waiting.length === 0) this.#callers.delete(caller)
  }
}
