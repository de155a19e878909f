import type { Pool } from 'pg'
import { createPool } from '../../database/pool.ts'

/** Connections of one worker: for rounds, for rebuilds, for measuring. A further statement waits. */
export const connectionsMax = 3

/**
 * How long a statement of a worker may run, in milliseconds: its parameters are bounded (`in-parts.ts`). Then the server ends
 * it, and the round is tried again.
 */
export const workerStatementTimeoutMs = 60_000

/** How often a worker asks whether its database still answers, in milliseconds: its own statements may take long. */
export const workerWatchMs = 5_000

/** How long that may take to be answered. Then all connections of the worker are replaced. Milliseconds. */
export const workerSilenceMsMax = 15_000

/**
 * How long a round may take: reading a large delivery is one transaction. Then it is cut, and tried again.
 * Milliseconds.
 */
export const workerTransactionMsMax = 15 * 60_000

/**
 * How long a worker may send nothing in a round, as while it parses. Then the server gives its deliveries to others.
 * Milliseconds.
 */
export const workerIdleInTransactionMsMax = 60_000

/**
 * Every statement of a worker finds its rows by an index. Left to itself the server would choose otherwise where it
 * knows a table as small, and keep to that plan while the backlog grows to millions.
 */
const settings =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off'

/** The connections of one worker. `statementTimeoutMs`: see `workerStatementTimeoutMs`. */
export function createWorkerPool(
  url: string,
  onFault: (error: Error) => void,
  statementTimeoutMs = workerStatementTimeoutMs,
): Pool {
  return (
createPool({
    url,
    connectionsMax,
    name: 'numera reader',
    statementTimeoutMs,
    transactionMsMax: workerTransactionMsMax,
    idleInTransactionMs: workerIdleInTransactionMsMax,
    sessionSettings: settings,
    // A round is ten statements long, and most of them need no answer from the one before.
    pipelined: true,
    onIdleError: onFault,
  })
)
}
