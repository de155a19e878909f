import type { DirectoryContext } from '../../context.ts'
import { int4Array, textArray, timestamptzArray, uuidArray } from '../../platform/database/binary-array.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import {
  createRecordBatches,
  type RecordBatches,
  type RecordBatchesOptions,
} from '../../platform/database/record-batches.ts'
import { createBatchObserver } from '../../platform/telemetry/observe-batch.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { insertCalls } from './queries.ts'

/** An answered call of an app. */
export interface CallRecord {
  connectionId: string
  /** Null if it was not about a company that the app may read. */
  companyId: string | null
  method: string
  /** Without the query (`http/call-path.ts`). */
  path: string
  status: number
  /** Of the error; null for a success. */
  code: string | null
  calledAtMs: number
}

interface Entry extends CallRecord {
  callId: string
}

async function write(on: Queryable, entries: readonly Entry[]): Promise<void> {
  await insertCalls.run(on, {
    connectionIds: uuidArray(entries.map((entry) => entry.connectionId)),
    callIds: uuidArray(entries.map((entry) => entry.callId)),
    companyIds: uuidArray(entries.map((entry) => entry.companyId)),
    methods: textArray(entries.map((entry) => entry.method)),
    paths: textArray(entries.map((entry) => entry.path)),
    statuses: int4Array(entries.map((entry) => entry.status)),
    codes: textArray(entries.map((entry) => entry.code)),
    instants: timestamptzArray(entries.map((entry) => entry.calledAtMs)),
  })
}

/** Stores records of apps' calls without delaying the calls (`database/record-batches.ts`). */
export function createCallRecords(
  context: Pick<DirectoryContext, 'pool' | 'log' | 'telemetry'>,
  options: Pick<RecordBatchesOptions<Entry>, 'everyMs' | 'waitingMax'> = {},
): RecordBatches<CallRecord> {
  const { pool, log, telemetry } = context
  const batches = createRecordBatches<Entry>({
    ...options,
    write: (entries) => write(pool, entries),
    onBatch: createBatchObserver(telemetry, 'app_calls'),
    onFailure: (err) => log.warn({ err }, 'calls of apps cannot be recorded now'),
    onLoss: (count, isFirst) => {
      telemetry.appCallsUnrecorded.inc(count)
      if (isFirst) log.warn('records of calls of apps are lost')
    },
  })
  return {
    add: (record) => batches.add({ ...record, callId: uuidv7(record.calledAtMs) }),
    [Symbol.asyncDispose]: () => batches[Symbol.asyncDispose](),
  }
}
