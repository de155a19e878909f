import type { AppContext } from './app-context.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSchemaCheck } from './schema-check.ts'

/** Checks a precondition of serving calls. */
export interface ReadinessCheck {
  /** For the log: the answer does not say which one it was. */
  name: string
  /** Rejecting, or taking longer than `readinessMsMax`, counts as no. A text is a reason for no that a prober may read. */
  isReady: () => CheckResult | Promise<CheckResult>
}

type CheckResult = boolean | string

/** How often a process checks itself, so that the log says why it is not ready without a probe. Milliseconds. */
export const readinessIntervalMs = 30_000

/** How long a check may take. Then its answer is: not ready. Milliseconds. */
const readinessMsMax = 2_000

/**
 * The checks that decide whether the service is ready, run side by side. The pool that accepts deliveries decides about
 * the database: reads and pages may all wait for slow statements of their own without harm to accepting. Asking their
 * pools as well finds broken connections before a caller does.
 */
export async function createReadinessChecks(context: AppContext): Promise<ReadinessCheck[]> {
  const { readPool, pool, clock } = context
  const { check } = await createSchemaCheck(context)
  return [
    { name: 'the database has a schema that this version works on, over the accept pool', isReady: check },
    {
      name: 'the other pools were checked',
      isReady: () => {
        for (const each of [readPool, pool]) {
          // Callers already wait there, and will find out themselves.
          if (each.waitingCount === 0) each.query('select').catch(() => {})
        }
        return true
      },
    },
    {
      name: 'the clocks of the machine and the database agree',
      isReady: () => clock.fault?.() === undefined,
    },
  ]
}

async function runCheck(check: ReadinessCheck, msMax: number): Promise<CheckResult> {
  const timer = new AbortController()
  const late = sleep(msMax, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([check.isReady(), late])
  } catch {
    return false
  } finally {
    timer.abort()
  }
}

/**
 * How long an answer is cached, in milliseconds, so that frequent probes do not load the database.
 */
const readinessKeptMs = 500

/**
 * Runs every check, and logs which fail whenever that changes. Concurrent calls, and calls within `readinessKeptMs`, get the
 * same answer.
 *
 * @returns true where every check passes; else false, or the reason that a prober may read
 */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  log: Pick<AppContext['log'], 'warn' | 'info'>,
  keptMs: number = readinessKeptMs,
  msMax: number = readinessMsMax,
): () => Promise<CheckResult> {
  let logged = ''
  let latest: { answer: Promise<CheckResult>; untilMs: number } | undefined
  const runChecks = async (): Promise<CheckResult> => {
    const results = await Promise.all(checks.map((check) => runCheck(check, msMax)))
    const failing = checks.filter((_check, index) => results[index] !== true).map(({ name }) => name)
    const reason = results.find((result) => typeof result === 'string')
    if (failing.join() !== logged) {
      logged = failing.join()
      if (failing.length > 0) log.warn({ failing, reason }, 'not ready')
      else log.info('ready again')
    }
    return reason ?? failing.length === 0
  }
  return () => {
    if (latest === undefined || performance.now() > latest.untilMs) {
      const checking = { answer: runChecks(), untilMs: Number.POSITIVE_INFINITY }
      latest = checking
      void checking.answer.then(() => (checking.untilMs = performance.now() + keptMs))
    }
    return latest.answer
  }
}
