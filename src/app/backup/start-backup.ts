import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../platform/database/find-running-embedded.ts'
import type { AppContext } from '../app-context.ts'
import { BackupError } from './backup-error.ts'
import { createLogMarks } from './log-marks.ts'
import type { OpenBackup } from './open-backup.ts'
import { readShippedTo, shipSegments } from './ship-segments.ts'
import { startKeepingBases } from './start-keeping-bases.ts'
import { connectAsSuperuser } from './superuser.ts'

/** How often finished segments are looked for, in milliseconds. */
const shipEveryMs = 1_000

/** How long a store that failed is left alone, in milliseconds: segments wait on disk. */
const pauseMs = 10_000

/** How long the last segment may take until it is stored when the service stops, in milliseconds. */
const lastSegmentMsMax = 2_500
const pollMs = 50

export type BackedUpContext = Pick<AppContext, 'config' | 'pool' | 'clock' | 'log' | 'telemetry'>

/** Makes the database finish its segment, and stores it. */
async function shipLast(shipped: Parameters<typeof shipSegments>[0]): Promise<void> {
  const running = await findRunningEmbedded(shipped.dataFolder)
  if (running === undefined) return
  await using client = await connectAsSuperuser(running.adminUrl)
  await shipped.marks.mark()
  await client.query('select pg_switch_wal()')
  for (const untilMs = performance.now() + lastSegmentMsMax; performance.now() < untilMs; await sleep(pollMs))
    if ((await shipSegments(shipped)) !== undefined) return
}

/**
 * Stores the log of the built-in database as it is written, and keeps bases to which it belongs, as long as the service runs.
 * While the place cannot be reached, the log waits on this machine's disk.
 *
 * @param open opens the place of `NUMERA_BACKUP`
 * @throws BackupError if the place is sealed with another key
 */
export async function startBackup(
  context: BackedUpContext,
  open: () => Promise<OpenBackup>,
): Promise<AsyncDisposable> {
  const { config, log, telemetry, pool } = context
  if (!config.embeddedDatabase) return { [Symbol.asyncDispose]: async () => {} }
  if (config.backup === undefined) {
    log.warn('nothing is backed up: NUMERA_BACKUP is not set')
    return { [Symbol.asyncDispose]: async () => {} }
  }
  const { dataFolder } = config
  const stack = new AsyncDisposableStack()
  const stopping = new AbortController()
  let shipped: Parameters<typeof shipSegments>[0] | undefined
  let shippedTo: Date | undefined
  let fault = ''
  let pausedUntilMs = 0

  const ship = async (): Promise<void> => {
    if (shipped === undefined) {
      const { sealed } = stack.use(await open())
      shippedTo = await readShippedTo(sealed, dataFolder)
      shipped = { sealed, dataFolder, marks: createLogMarks(pool, shippedTo) }
      stack.use(startKeepingBases(context, sealed))
    }
    // Without the database there are no further commits.
    await shipped.marks.mark().catch(() => {})
    shippedTo = (await shipSegments(shipped, stopping.signal)) ?? shippedTo
    if (fault !== '') log.info('the log of the database is stored again')
    fault = ''
  }
  const onFault = (error: unknown): void => {
    if (stopping.signal.aborted) return
    pausedUntilMs = performance.now() + pauseMs
    const { message } = error as Error
    if (message !== fault) log.error({ reason: message }, 'the log of the database cannot be stored')
    fault = message
  }
  const startedAtMs = Date.now()
  const tick = async (): Promise<void> => {
    if (performance.now() >= pausedUntilMs) await ship().catch(onFault)
    // By the machine's clock, as the database's is.
    const sinceMs = Math.max(startedAtMs, shippedTo?.getTime() ?? 0)
    telemetry.backupAgeSeconds.set((Date.now() - sinceMs) / 1_000)
  }
  try {
    await ship()
  } catch (error) {
    if (error instanceof BackupError) {
      await stack.disposeAsync()
      throw error
    }
    onFault(error)
  }
  let running = Promise.resolve()
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    running = tick().finally(() => (isRunning = false))
  }, shipEveryMs)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
      if (shipped !== undefined)
        await shipLast(shipped).catch((error: unknown) => {
          log.warn({ err: error }, 'the last segment of the log waits for the next start')
        })
      await stack.disposeAsync()
    },
  }
}
