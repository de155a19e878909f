import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded } from '../../platform/database/find-running-embedded.ts'
import type { BackedUpContext } from './backed-up-context.ts'
import { BackupError } from './backup-error.ts'
import { createLogMarks } from './log-marks.ts'
import type { OpenBackup } from './open-backup.ts'
import { isSegmentStored, readShippedTo, shipSegments } from './ship-segments.ts'
import { startKeepingBases } from './start-keeping-bases.ts'
import { connectAsSuperuser } from './superuser.ts'

/** How often finished segments are looked for, in milliseconds. */
const shipEveryMs = 1_000

/** How long a store that failed is left alone, in milliseconds: segments wait on disk. */
const pauseMs = 10_000

/** How long the last segment may take until it is stored when the service stops, in milliseconds. */
const lastSegmentMsMax = 2_500
const pollMs = 50

type Shipped = Parameters<typeof shipSegments>[0]

/**
 * Makes the database finish its segment, and waits until it is stored, by this process or another one. A message comes first: a
 * segment without a record is never finished, and what is stored would seem to end before now.
 *
 * @throws BackupError if that takes too long
 */
async function shipLast(shipped: Shipped): Promise<void> {
  const running = await findRunningEmbedded(shipped.dataFolder)
  if (running === undefined) return
  await using client = await connectAsSuperuser(running.adminUrl)
  await client.query(`select pg_logical_emit_message(true, 'numera', 'end')`)
  const last = await shipped.marks.mark()
  await client.query('select pg_switch_wal()')
  for (
    const untilMs = performance.now() + lastSegmentMsMax;
    performance.now() < untilMs;
    await sleep(pollMs)
  ) {
    await shipSegments(shipped)
    if (await isSegmentStored(shipped, last)) return
  }
  throw new BackupError('The database did not finish its segment in time.')
}

/** Stores segments every second, until it is disposed of. */
class Shipping implements AsyncDisposable {
  readonly #context: BackedUpContext
  readonly #open: () => Promise<OpenBackup>
  readonly #stack = new AsyncDisposableStack()
  readonly #stopping = new AbortController()
  readonly #startedAtMs = Date.now()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #opened: OpenBackup | undefined
  #shipped: Shipped | undefined
  #shippedTo: Date | undefined
  /** Why it fails at the moment, as the log says it. */
  #fault = ''
  #pausedUntilMs = 0

  constructor(context: BackedUpContext, open: () => Promise<OpenBackup>) {
    this.#context = context
    this.#open = open
  }

  /** @throws BackupError if the place is sealed with another key */
  async start(): Promise<void> {
    await this.#ship().catch((error: unknown) => {
      if (error instanceof BackupError) throw error
      this.#onFault(error as Error)
    })
    this.#timer = setInterval(() => {
      this.#running ??= this.#tick().finally(() => (this.#running = undefined))
    }, shipEveryMs)
  }

  async #tick(): Promise<void> {
    if (performance.now() >= this.#pausedUntilMs)
      await this.#ship().catch((error: unknown) => this.#onFault(error as Error))
    // By the machine's clock, as the database's is.
    const sinceMs = Math.max(this.#startedAtMs, this.#shippedTo?.getTime() ?? 0)
    this.#context.telemetry.backupAgeSeconds.set((Date.now() - sinceMs) / 1_000)
  }

  async #ship(): Promise<void> {
    const { config, pool, log } = this.#context
    if (this.#shipped === undefined) {
      this.#opened ??= this.#stack.use(await this.#open())
      const { sealed } = this.#opened
      this.#shippedTo = await readShippedTo(sealed, config.dataFolder)
      const marks = createLogMarks(pool, this.#shippedTo)
      this.#shipped = { sealed, dataFolder: config.dataFolder, marks }
      this.#stack.use(startKeepingBases(this.#context, sealed))
    }
    // Without the database there are no further commits.
    await this.#shipped.marks.mark().catch(() => {})
    this.#shippedTo = (await shipSegments(this.#shipped, this.#stopping.signal)) ?? this.#shippedTo
    if (this.#fault !== '') log.info('the log of the database is stored again')
    this.#fault = ''
  }

  #onFault({ message }: Error): void {
    if (this.#stopping.signal.aborted) return
    this.#pausedUntilMs = performance.now() + pauseMs
    if (message !== this.#fault)
      this.#context.log.error({ reason: message }, 'the log of the database cannot be stored')
    this.#fault = message
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#running
    if (this.#shipped !== undefined)
      await shipLast(this.#shipped).catch((error: unknown) => {
        this.#context.log.warn({ err: error }, 'the last segment of the log waits for the next start')
      })
    await this.#stack.disposeAsync()
  }
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
  const { embeddedDatabase, backup } = context.config
  if (embeddedDatabase && backup === undefined)
    context.log.warn('nothing is backed up: NUMERA_BACKUP is not set')
  if (!embeddedDatabase || backup === undefined) return { [Symbol.asyncDispose]: async () => {} }
  const shipping = new Shipping(context, open)
  try {
    await shipping.start()
    return shipping
  } catch (error) {
    await shipping[Symbol.asyncDispose]()
    throw error
  }
}
