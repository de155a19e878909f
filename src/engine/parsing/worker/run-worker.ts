import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../../platform/database/is-database-unavailable.ts'
import type { ProjectionMaintainer } from '../../projections/maintain-projections.ts'
import type { ParseWorker, Round } from './parse-worker.ts'

interface RunLog {
  error(details: object, message: string): void
}

export interface RunWorkerOptions {
  worker: Pick<ParseWorker, 'round'>
  /** Given if this worker maintains projections too. */
  projections?: ProjectionMaintainer
  log: RunLog
  /** How often it polls for work that it was not woken for. */
  pollIntervalMs: number
  /** Called after every round that parsed something, with its duration. */
  onRound?: (round: Round & { durationMs: number }) => void
  /** Called before it waits, and when it stops waiting. */
  onIdle?: (isIdle: boolean) => void
  /**
   * How many wakes were sent to it so far. Read before a round and again before waiting, so that no wake in between is
   * lost.
   */
  news?: () => number
}

export interface RunningWorker {
  /** Ends its wait. Does nothing while it is not waiting: see `news`. */
  wake(): void
  /** Begins no more rounds; resolves when the transactions under way have ended. */
  stop(): Promise<void>
}

const faultDelayMs = 100
const faultDelayMsMax = 10_000

/** Something repeated until it is stopped. */
interface Repeated {
  /** For the log. */
  name: string
  /** Returns whether there is more to do immediately. */
  step(): Promise<boolean>
  pause(): Promise<void>
}

/** A wait that can be ended early. */
class Wait {
  #end: (() => void) | undefined

  async for(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#end = undefined
  }

  /** Does nothing if nothing waits. */
  end(): void {
    this.#end?.()
  }
}

/** Repeats a step, pausing when it has nothing to do. A step that fails is logged and tried again, ever more slowly. */
async function repeat({ name, step, pause }: Repeated, log: RunLog, stopping: AbortSignal): Promise<void> {
  let faults = 0
  while (!stopping.aborted) {
    try {
      const more = await step()
      faults = 0
      if (!more && !stopping.aborted) await pause()
    } catch (error) {
      faults++
      const delayMs = Math.min(faultDelayMs * 2 ** (faults - 1), faultDelayMsMax)
      const message = isDatabaseUnavailable(error) ? 'the database is unavailable' : `${name} failed`
      log.error({ err: error, delayMs }, message)
      await sleep(delayMs, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

/** Rounds of a worker; when nothing is left, it waits for a wake or the next poll. */
function parsing(
  { worker, pollIntervalMs, onRound, onIdle, news = () => 0 }: RunWorkerOptions,
  wait: Wait,
): Repeated {
  let newsSeen = 0
  return {
    name: 'parsing',
    step: async () => {
      newsSeen = news()
      const startedMs = performance.now()
      const round = await worker.round()
      if (round.deliveries > 0) onRound?.({ ...round, durationMs: performance.now() - startedMs })
      return round.deliveries > 0 || round.isFull
    },
    pause: async () => {
      onIdle?.(true)
      if (news() === newsSeen) await wait.for(pollIntervalMs)
      onIdle?.(false)
    },
  }
}

/** Runs a worker until it is stopped, and on another connection the maintenance of projections. */
export function runWorker(options: RunWorkerOptions): RunningWorker {
  const { projections, log, pollIntervalMs } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = new Wait()
  const parsed = repeat(parsing(options, wait), log, signal)
  const maintained =
    projections &&
    repeat(
      {
        name: 'the maintenance of projections',
        step: () => projections.step(),
        pause: () => sleep(pollIntervalMs, undefined, { signal }).catch(() => {}),
      },
      log,
      signal,
    )
  return {
    wake: () => wait.end(),
    stop: async () => {
      stopping.abort()
      wait.end()
      await Promise.all([parsed, maintained])
    },
  }
}
