import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../platform/database/find-running-embedded.ts'
import type { AppContext } from '../app-context.ts'
import { BackupError } from './backup-error.ts'
import { isSegment, toWalKey } from './layout.ts'
import type { OpenBackup } from './open-backup.ts'
import { readFinishedAt } from './plan-restore.ts'
import type { SealedStore } from './sealed-store.ts'
import { readSystemIdentifier, shipSegments } from './ship-segments.ts'
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

/** When the newest segment that is stored of this database was finished. */
async function readLastFinishedAt(sealed: SealedStore, dataFolder: string): Promise<Date | undefined> {
  const prefix = toWalKey(await readSystemIdentifier(dataFolder), '')
  let last: string | undefined
  for await (const { key } of sealed.store.list(prefix)) if (isSegment(key.slice(prefix.length))) last = key
  return last === undefined ? undefined : readFinishedAt(sealed, last)
}

/** Makes the database finish its segment, and stores it. */
async function shipLast({ sealed }: OpenBackup, dataFolder: string): Promise<void> {
  const running = await findRunningEmbedded(dataFolder)
  if (running === undefined) return
  await using client = await connectAsSuperuser(running.adminUrl)
  await client.query('select pg_switch_wal()')
  for (const untilMs = performance.now() + lastSegmentMsMax; performance.now() < untilMs; await sleep(pollMs))
    if ((await shipSegments(sealed, dataFolder)) !== undefined) return
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
  const { config, log, telemetry, clock } = context
  if (!config.embeddedDatabase) return { [Symbol.asyncDispose]: async () => {} }
  if (config.backup === undefined) {
    log.warn('nothing is backed up: NUMERA_BACKUP is not set')
    return { [Symbol.asyncDispose]: async () => {} }
  }
  const { dataFolder } = config
  const stack = new AsyncDisposableStack()
  const stopping = new AbortController()
  let opened: OpenBackup | undefined
  let lastFinishedAt: Date | undefined
  let fault = ''
  let pausedUntilMs = 0

  const ship = async (): Promise<void> => {
    if (opened === undefined) {
      opened = stack.use(await open())
      lastFinishedAt = await readLastFinishedAt(opened.sealed, dataFolder)
      stack.use(startKeepingBases(context, opened))
    }
    lastFinishedAt = (await shipSegments(opened.sealed, dataFolder, stopping.signal)) ?? lastFinishedAt
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
  const startedAtMs = clock.now()
  const tick = async (): Promise<void> => {
    if (performance.now() >= pausedUntilMs) await ship().catch(onFault)
    // By the clock that the segments' times are from.
    telemetry.backupAgeSeconds.set((Date.now() - (lastFinishedAt?.getTime() ?? startedAtMs)) / 1_000)
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
      if (opened !== undefined)
        await shipLast(opened, dataFolder).catch((error: unknown) => {
          log.warn({ err: error }, 'the last segment of the log waits for the next start')
        })
      await stack.disposeAsync()
    },
  }
}
