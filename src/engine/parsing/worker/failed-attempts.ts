import type { Queue } from '../../backlog/queues.ts'
import type { FailedRow } from './aggregate-claimed.ts'
import { rowsToChange } from './claim-rows.ts'
import { ProjectionRetiredError } from './finish-batch.ts'
import { addAttempt, unmark, separateBatch, type ClaimedRow } from './claim-queries.ts'
import { getAttempt, getNow, retryDelayMs, retryDelayMsMax, type WorkerState } from './worker-state.ts'

export interface FailedBatch {
  queue: Queue
  /** At least one. */
  rows: ClaimedRow[]
  /** The attempt was stored before it was made. */
  isMarked: boolean
}

/** SQLSTATE of a statement that waited too long for a lock. */
const lockNotAvailable = '55P03'

/** After a whole batch failed: makes sure that the delivery at fault is found and that the others are parsed. */
export async function recoverBatch(
  worker: WorkerState,
  { queue, rows, isMarked }: FailedBatch,
  error: unknown,
): Promise<void> {
  const { pool, log, blocked } = worker
  const keys = rowsToChange(worker, rows)
  const at = getNow(worker)
  if (error instanceof ProjectionRetiredError) {
    if (isMarked) await separateBatch.run(pool, { ...keys, at, attemptsBack: 1 })
  } else if (queue === 'small' && isLockTimeout(error)) {
    if (isMarked) await unmark.run(pool, keys)
    blocked.add(new Set(rows.map((row) => row.company_id)))
  } else if (rows.length > 1) {
    const details = { err: error, deliveries: rows.length }
    log.warn(details, 'a batch could not be parsed, its deliveries go one by one')
    await separateBatch.run(pool, { ...keys, at, attemptsBack: isMarked ? 1 : 0 })
  } else {
    if (!isMarked) await addAttempt.run(pool, { ...keys, ...getAttempt(worker) })
    logFailed(worker, { row: rows[0]!, error }, isMarked)
  }
}

export function logFailed({ log }: WorkerState, { row, error }: FailedRow, isMarked: boolean): void {
  const attempts = (row.attempts ?? 0) + (isMarked ? 0 : 1)
  const delayMs = Math.min(retryDelayMs * 2 ** (attempts - 1), retryDelayMsMax)
  const { artifact_id: artifactId } = row
  log.error({ err: error, artifactId, attempts, delayMs }, 'a delivery could not be parsed, it stays queued')
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === lockNotAvailable
}
