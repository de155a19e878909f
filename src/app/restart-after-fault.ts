import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** A process that ran for longer before its fault restarts without a pause. Milliseconds. */
const faultsExpireMs = 10 * 60_000

/** The pause before the second restart in a row; it doubles with each further one. Milliseconds. */
const restartPauseMs = 1_000

/** The longest pause between restarts; it grows no further. Milliseconds. */
export const restartPauseMsMax = 60_000

/** sysexits.h, EX_SOFTWARE: for a supervisor, where a process cannot restart itself. */
const exitCode = 70

/** How long the last lines of the log may take to be written. Then the process restarts without them. Milliseconds. */
const flushMsMax = 1_000

/**
 * How many times in a row the process has restarted after a fault. Handed from one image of the process to the next.
 */
const restartsVariable = 'NUMERA_FAULT_RESTARTS'

function restartsSoFar(): number {
  const restarts = Number(process.env[restartsVariable] ?? 0)
  return Number.isInteger(restarts) && restarts > 0 ? restarts : 0
}

/** The pause after a number of restarts in a row, in milliseconds. */
export function getRestartPause(restarts: number): number {
  return restarts <= 1 ? 0 : Math.min(restartPauseMsMax, restartPauseMs * 2 ** Math.min(restarts - 2, 30))
}

/** Waits before anything is started where faults keep coming back, unless the process is stopping. */
export async function pauseAfterFaults(
  log: Pick<Logger, 'warn'>,
  stopSignal: Promise<unknown>,
): Promise<void> {
  const restarts = restartsSoFar()
  const pauseMs = getRestartPause(restarts)
  if (restarts > 0) log.warn({ restarts, pauseMs }, 'restarted after a fault')
  await Promise.race([sleep(pauseMs), stopSignal])
}

/**
 * Replaces the process by a new image: same id, same children, everything else new. Where it cannot, it ends, which
 * leaves it to the supervisor that started the process.
 *
 * @param words of the command line
 * @param restarts after faults, so far in a row
 */
export function replaceProcess(words: readonly string[], restarts = 0): never {
  const argv = [process.execPath, ...process.execArgv, process.argv[1]!, ...words]
  try {
    process.execve?.(process.execPath, argv, { ...process.env, [restartsVariable]: String(restarts) })
  } catch {
    // The exit code says it.
  }
  process.exit(exitCode)
}

function startAnew(): never {
  const restarts = (performance.now() > faultsExpireMs ? 0 : restartsSoFar()) + 1
  replaceProcess(process.argv.slice(2), restarts)
}

/**
 * From here on an uncaught exception or rejection no longer ends the process at a random place: it is logged, `abandon`
 * answers what is under way and gives the request ids of those answers, and the process restarts. The built-in
 * database is left running and found again by the next image (`database/embedded/postmaster.ts`). What was being
 * written is committed or not; its caller got 500 and sends it again. After `stopSignal` the process ends instead.
 */
export function restartAfterFaults(
  log: Logger,
  stopSignal: Promise<unknown>,
  abandon: () => Promise<string[]>,
): void {
  let isLeaving = false
  let isToldToStop = false
  const stop = (): void => void (isToldToStop = true)
  stopSignal.then(stop, stop)
  process.on('uncaughtException', (fault, origin) => {
    log.fatal({ err: fault, origin }, 'an unforeseen exception; restarting')
    // Further faults while the last answers go out change nothing.
    if (isLeaving) return
    isLeaving = true
    const leave = async (): Promise<void> => {
      try {
        const requestIds = await abandon()
        log.error({ requestIds }, 'what was under way was answered with 500')
      } catch (error) {
        log.error({ err: error }, 'what was under way could not be answered')
      } finally {
        await Promise.race([new Promise<void>((resolve) => log.flush(() => resolve())), sleep(flushMsMax)])
        if (isToldToStop) process.exit(exitCode)
        startAnew()
      }
    }
    void leave()
  })
}
