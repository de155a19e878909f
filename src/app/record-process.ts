import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from './app-context.ts'
import { release } from '../platform/config/release.ts'
import { requireMigrated } from '../platform/database/migrations/migrate.ts'
import { deleteProcess, recordProcess } from './queries.ts'
import { createSchemaCheck } from './schema-check.ts'

/** How often a process records that it runs. Milliseconds. */
const recordEveryMs = 20_000

/** How long a process may stay silent until contracts no longer wait for it: three records. Milliseconds. */
export const processSilentMsMax = 60_000

/** How long deleting its row may take when a process stops. Then it expires. Milliseconds. */
const deleteMsMax = 2_000

export interface RecordedProcess extends AsyncDisposable {
  /** Settles with the reason once a contract has ended this process's release. */
  readonly passed: Promise<string>
}

/**
 * Stores that this process runs, now and at intervals, until it is disposed of. Contracts wait for it
 * (`run-contracts.ts`). A process that was frozen for longer than they wait, and wakes up behind one, learns of it here.
 *
 * @param everyMs instead of 20 seconds
 * @throws Error as `requireMigrated`: a contract may have been run since this process migrated the database
 */
export async function startRecordingProcess(
  context: AppContext,
  everyMs = recordEveryMs,
): Promise<RecordedProcess> {
  const { pool, clock, log } = context
  const { known, check } = await createSchemaCheck(context)
  const processId = randomUUID()
  const passed = Promise.withResolvers<string>()
  const record = (): Promise<unknown> =>
    recordProcess.run(pool, { processId, release, ...known, at: new Date(clock.now()) })

  await record()
  // Behind the row, so that a contract is either seen here or has seen the row.
  await requireMigrated({ url: pool.options.connectionString! })
  const recordAndCheck = async (): Promise<void> => {
    try {
      await record()
      const outcome = await check()
      if (typeof outcome === 'string') passed.resolve(outcome)
    } catch (error) {
      log.warn({ err: error }, 'this process could not be recorded')
    }
  }
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => void (running = running.then(recordAndCheck)), everyMs)
  return {
    passed: passed.promise,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      const deleted = running
        .then(() => deleteProcess.run(pool, { processId }))
        .catch((error: unknown) => log.warn({ err: error }, 'the row of this process was not deleted'))
      await Promise.race([deleted, sleep(deleteMsMax, undefined, { ref: false })])
    },
  }
}
