import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../../database/is-database-away.ts'
import type { ProjectionMaintainer } from '../../projections/maintain-projections.ts'
import type { ParseWorker, Round } from './parse-worker.ts'

export interface RunLog {
  error(details: object, message: string): void
}

export interface RunWorkerOptions {
  worker: ParseWorker
  /** Where it does the maintenance of projections too. */
  projections?: ProjectionMaintainer
  log: RunLog
  /** How often it looks for what nobody woke it for. */
  pollIntervalMs: number
  /** Told of every round that took something, with its duration. */
  onRound?: (round: Round & { durationMs: number }) => void
  /** Told before it waits, and as soon as it waits no more. */
  onIdle?: (isIdle: boolean) => void
  /**
   * How often somebody meant to wake it so far. Asked before a round and again before waiting, so that no wake is lost
   * that came in between.
   */
  news?: () => number
}

export interface RunningWorker {
  /** Ends its wait. While it does not wait this does nothing: see `news`. */
  wake(): void
  /** Takes no more, and resolves when the transactions under way have ended. */
  stop(): Promise<void>
}

const faultDelayMs = 100
const faultDelayMsMax = 10_000

/**
 * Reads rounds until nothing is left, waits to be woken or for the poll, and so on; beside that, where it is to, on a
 * connection of its own does the maintenance of projections. Whatever fails is logged and tried again, more and more slowly.
 */
export const runWorker = (options: RunWorkerOptions): RunningWorker => {
  const { worker, projections, log, pollIntervalMs, onRound, onIdle, news = () => 0 } = options
  const stopping = new AbortController()
  let endWait: (() => void) | undefined
  let newsSeen = 0

  const wait = async (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms)
      function done(): void {
        clearTimeout(timer)
        endWait = undefined
        resolve()
      }
      endWait = done
    })

  /** Repeats `step` until it says that there is nothing to do, then `pause`. */
  const repeat = async (
    name: string,
    step: () => Promise<boolean>,
    pause: () => Promise<void>,
  ): Promise<void> => {
    let faults = 0
    while (!stopping.signal.aborted) {
      try {
        const more = await step()
        faults = 0
        if (!more && !stopping.signal.aborted) await pause()
      } catch (error) {
        faults++
        const delayMs = Math.min(faultDelayMs * 2 ** (faults - 1), faultDelayMsMax)
        const message = isDatabaseAway(error) ? 'the database is away' : `${name} failed`
        log.error({ err: error, delayMs }, message)
        await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  const result = repeat(
    'reading',
    async () => {
      newsSeen = news()
      const startedMs = performance.now()
      const round = await worker.round()
      if (round.deliveries > 0) onRound?.({ ...round, durationMs: performance.now() - startedMs })
      return round.deliveries > 0 || round.isFull
    },
    async () => {
      onIdle?.(true)
      if (news() === newsSeen) await wait(pollIntervalMs)
      onIdle?.(false)
    },
  )
  const maintenance =
    projections &&
    repeat(
      'the maintenance of projections',
      () => projections.step(),
      () => sleep(pollIntervalMs, undefined, { signal: stopping.signal }).catch(() => {}),
    )

  return {
    wake: () => endWait?.(),
    stop: async () => {
      stopping.abort()
      endWait?.()
      await Promise.all([result, maintenance])
    },
  }
}
