import type { Context } from '../service/context.ts'
import { int4Array, textArray, timestamptzArray, uuidArray } from '../database/binary-array.ts'
import type { Queryable } from '../database/pool.ts'
import { createBatchObserver } from '../telemetry/observe-batch.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import { insertCalls } from './queries.ts'

/** One answered call of an app, to be kept. */
export interface CallRecord {
  connectionId: string
  /** Null where it was about no company that the app may read. */
  companyId: string | null
  method: string
  /** Without the query (`call-path.ts`). */
  path: string
  status: number
  /** Of the error; null for a success. */
  code: string | null
  calledAtMs: number
}

interface CallRecords extends AsyncDisposable {
  /** Takes a record, at once; it is written soon. */
  add(record: CallRecord): void
}

interface CallRecordsOptions {
  /** See `recordWaitMs`. */
  everyMs?: number
  /** See `recordsWaitingMax`. */
  waitingMax?: number
}

/** Records in one statement; as soon as this many wait, they are written. */
export const batchMax = 500

/**
 * How long a record waits for others, in milliseconds; then it is written. A process that is killed loses the waiting
 * ones.
 */
export const recordWaitMs = 1_000

/** Records that wait while the database is unavailable; further ones are lost, and counted. */
export const recordsWaitingMax = 10_000

interface Entry extends CallRecord {
  callId: string
}

const uniqueViolation = '23505'

/** Writes entries that are always written together: at another try either all of them are there already, or none. */
async function write(on: Queryable, entries: readonly Entry[]): Promise<void> {
  const columns = {
    connectionIds: uuidArray(entries.map((entry) => entry.connectionId)),
    callIds: uuidArray(entries.map((entry) => entry.callId)),
    companyIds: uuidArray(entries.map((entry) => entry.companyId)),
    methods: textArray(entries.map((entry) => entry.method)),
    paths: textArray(entries.map((entry) => entry.path)),
    statuses: int4Array(entries.map((entry) => entry.status)),
    codes: textArray(entries.map((entry) => entry.code)),
    instants: timestamptzArray(entries.map((entry) => entry.calledAtMs)),
  }
  await insertCalls.run(on, columns).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error
  })
}

/**
 * Gathers the records of apps' calls and writes them in batches, one at a time, so that no call waits for its record.
 * While the database is unavailable they wait, up to a bound; a process that is killed loses those of the last second.
 * Disposing of it writes what is left.
 */
export function createCallRecords(
  context: Pick<Context, 'pool' | 'log' | 'telemetry'>,
  options: CallRecordsOptions = {},
): CallRecords {
  return new BatchedCallRecords(context, options)
}

class BatchedCallRecords implements CallRecords {
  readonly #context: Pick<Context, 'pool' | 'log' | 'telemetry'>
  readonly #everyMs: number
  readonly #waitingMax: number
  readonly #observeBatch: ReturnType<typeof createBatchObserver>
  readonly #waiting: Entry[] = []
  /** How many of the first ones are a batch that could not be written: it stays as it is, and waits for the timer. */
  #failed = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  /** Whether the loss of records has been logged: once, until records are written again. */
  #isLossLogged = false

  constructor(context: Pick<Context, 'pool' | 'log' | 'telemetry'>, options: CallRecordsOptions) {
    this.#context = context
    this.#everyMs = options.everyMs ?? recordWaitMs
    this.#waitingMax = options.waitingMax ?? recordsWaitingMax
    this.#observeBatch = createBatchObserver(context.telemetry, 'app_calls')
  }

  add(record: CallRecord): void {
    if (this.#waiting.length >= this.#waitingMax) return this.#lose(1)
    this.#waiting.push({ ...record, callId: uuidv7(record.calledAtMs) })
    if (this.#waiting.length >= batchMax && this.#failed === 0) this.#start()
    else this.#startSoon()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing
    clearTimeout(this.#timer)
    if (this.#waiting.length > 0) await this.#writeBatches(1)
    if (this.#waiting.length > 0) this.#lose(this.#waiting.length)
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeBatches(batchMax).finally(() => {
      this.#writing = undefined
      if (this.#waiting.length > 0) this.#startSoon()
    })
  }

  #startSoon(): void {
    this.#timer ??= setTimeout(() => this.#start(), this.#everyMs).unref()
  }

  /** Writes a batch, and more as long as `waitingMin` wait. Never rejects: what could not be written stays. */
  async #writeBatches(waitingMin: number): Promise<void> {
    do {
      const batch = this.#waiting.slice(0, this.#failed > 0 ? this.#failed : batchMax)
      const startedMs = performance.now()
      try {
        await write(this.#context.pool, batch)
      } catch (error) {
        if (this.#failed === 0) this.#context.log.warn({ err: error }, 'calls of apps cannot be recorded now')
        this.#failed = batch.length
        return
      }
      this.#observeBatch({ items: batch.length, durationMs: performance.now() - startedMs })
      this.#failed = 0
      this.#isLossLogged = false
      this.#waiting.splice(0, batch.length)
    } while (this.#waiting.length >= waitingMin)
  }

  #lose(count: number): void {
    const { log, telemetry } = this.#context
    telemetry.appCallsUnrecorded.inc(count)
    if (!this.#isLossLogged) log.warn({ waiting: this.#waiting.length }, 'records of calls of apps are lost')
    this.#isLossLogged = true
  }
}
