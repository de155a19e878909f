import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { readMigrationFiles } from '../database/migration-files.ts'
import { readAppliedMigrations } from './queries.ts'

/** Something without which calls cannot be taken. */
export interface ReadinessCheck {
  /** For the log: a prober is not told which one it was. */
  name: string
  /** Rejecting, or taking longer than `readinessMsMax`, counts as no. */
  isReady: () => boolean | Promise<boolean>
}

/** How long a check may take. Then its answer is: not ready. Milliseconds. */
export const readinessMsMax = 2_000

/**
 * What is asked each time whether the service is ready, all at once. The lane that accepts deliveries decides about the
 * database. Reads and pages may all be waiting for slow statements of theirs and accepting is none the worse; asking
 * their lanes as well finds connections that have gone deaf before a caller meets them.
 */
export const createReadinessChecks = async (context: Context): Promise<ReadinessCheck[]> => {
  const { acceptPool, readPool, pool, clock } = context
  const files = await readMigrationFiles()
  return [
    {
      name: 'the database has the migrations of this version, by way of the lane that accepts',
      isReady: async () => {
        const applied = await readAppliedMigrations(acceptPool)
        return files.every((file) => applied.some((row) => row.sha256 === file.sha256))
      },
    },
    {
      name: 'the other lanes were asked',
      isReady: () => {
        for (const lane of [readPool, pool]) lane.query('select').catch(() => {})
        return true
      },
    },
    {
      name: 'the clocks of the machine and the database agree',
      isReady: () => clock.fault?.() === undefined,
    },
  ]
}

const passes = async (check: ReadinessCheck): Promise<boolean> => {
  const timer = new AbortController()
  const late = sleep(readinessMsMax, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([check.isReady(), late])
  } catch {
    return false
  } finally {
    timer.abort()
  }
}

/** Asks every check, and logs which of them fail whenever that has changed. */
export const createReadiness = (
  checks: readonly ReadinessCheck[],
  log: Pick<Context['log'], 'warn' | 'info'>,
): (() => Promise<boolean>) => {
  let told = ''
  return async () => {
    const passed = await Promise.all(checks.map(passes))
    const failing = checks.filter((_check, index) => !passed[index]).map(({ name }) => name)
    if (failing.join() !== told) {
      told = failing.join()
      if (failing.length > 0) log.warn({ failing }, 'not ready')
      else log.info('ready again')
    }
    return failing.length === 0
  }
}
