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
 * How long a record waits for others, in milliseconds; then it is written. A process that is killed loses those that
 * wait.
 */
export const recordWaitMs = 1_000

/** Records that wait while the database is away; further ones are lost, and counted. */
export const recordsWaitingMax = 10_000

interface Entry extends CallRecord {
  callId: string
}

const uniqueViolation = '23505'

/** Writes entries that are always written together: tried again, either all of them are there already, or none is. */
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
 * Gathers the records of apps' calls and writes them in batches, one at a time, so that no call waits for its record. While
 * the database is away they are kept, up to a bound; a process that is killed loses those of the last second. Disposing of
 * it writes what is left.
 */
export function createCallRecords(
  context: Pick<Context, 'pool' | 'log' | 'telemetry'>,
  options: CallRecordsOptions = {},
): CallRecords {
  const { pool, log, telemetry } = context
  const { everyMs = recordWaitMs, waitingMax = recordsWaitingMax } = options
  const observeBatch = createBatchObserver(telemetry, 'app_calls')
  const waiting: Entry[] = []
  /** How many of the first ones are a batch that could not be written: it stays as it is, and waits for the timer. */
  let failed = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  /** Whether it has been said that records are lost: once, until records are written again. */
  let saidLost = false

  const lose = (count: number): void => {
    telemetry.appCallsUnrecorded.inc(count)
    if (!saidLost) log.warn({ waiting: waiting.length }, 'records of calls of apps are lost')
    saidLost = true
  }

  /** Writes a batch, and more as long as they are full. Never rejects: what could not be written stays. */
  const writeBatches = async (untilEmpty: boolean): Promise<void> => {
    do {
      const batch = waiting.slice(0, failed > 0 ? failed : batchMax)
      const startedMs = performance.now()
      try {
        await write(pool, batch)
      } catch (error) {
        if (failed === 0) log.warn({ err: error }, 'calls of apps cannot be recorded now')
        failed = batch.length
        return
      }
      observeBatch({ items: batch.length, durationMs: performance.now() - startedMs })
      failed = 0
      saidLost = false
      waiting.splice(0, batch.length)
    } while (waiting.length >= (untilEmpty ? 1 : batchMax))
  }

  const start = (): void => {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeBatches(false).finally(() => {
      writing = undefined
      if (waiting.length > 0) startSoon()
    })
  }
  const startSoon = (): void => {
    timer ??= setTimeout(start, everyMs).unref()
  }

  return {
    add: (record) => {
      if (waiting.length >= waitingMax) return lose(1)
      waiting.push({ ...record, callId: uuidv7(record.calledAtMs) })
      if (waiting.length >= batchMax && failed === 0) start()
      else startSoon()
    },
    [Symbol.asyncDispose]: async () => {
      await writing
      clearTimeout(timer)
      if (waiting.length > 0) await writeBatches(true)
      if (waiting.length > 0) lose(waiting.length)
    },
  }
}
