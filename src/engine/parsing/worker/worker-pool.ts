import type { Pool } from 'pg'
import { createPool } from '../../../platform/database/pool.ts'

/**
 * Connections of one worker: for rounds, for projections, for measuring, and for checking whether the others still answer.
 * Further statements wait.
 */
const connectionsMax = 4

/**
 * How long a statement of a worker, whose parameters are bounded (`in-parts.ts`), may run, in milliseconds. Then the
 * server ends it, and the round is tried again.
 */
const workerStatementTimeoutMs = 60_000

/** How often a worker checks that its database still answers, in milliseconds: its own statements may take long. */
export const workerWatchMs = 2_500

/**
 * Such checks in a row in which a connection that waits for an answer has received nothing. Then it is replaced, unless the
 * server is at work on its statement.
 */
export const workerSilentPollsMax = 3

/**
 * How long a round may take, in milliseconds: parsing a large delivery is one transaction. Then it is cut off and tried
 * again.
 */
const workerTransactionMsMax = 15 * 60_000

/**
 * How long a worker may send nothing in a round, such as while it parses, in milliseconds. Then the server ends its
 * session, and others get its deliveries.
 */
const workerIdleInTransactionMsMax = 60_000

/**
 * Every statement of a worker finds its rows by an index. Left to itself, the server would plan otherwise while a table
 * is small, and keep that plan while the backlog grows to millions.
 */
const settings = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off'

interface WorkerPoolOptions {
  /** See `workerStatementTimeoutMs`. */
  statementTimeoutMs?: number
  /** Of each session, besides its own. */
  furtherSettings?: string
  /** Of the shard; the first by default. */
  schema?: string
}

/** The connections of one worker to one shard. */
export function createWorkerPool(
  url: string,
  onFault: (error: Error) => void,
  { statementTimeoutMs = workerStatementTimeoutMs, furtherSettings, schema }: WorkerPoolOptions = {},
): Pool {
  return createPool({
    url,
    ...(schema === undefined ? {} : { schema }),
    connectionsMax,
    name: 'numera worker',
    statementTimeoutMs,
    transactionMsMax: workerTransactionMsMax,
    idleInTransactionMs: workerIdleInTransactionMsMax,
    sessionSettings: furtherSettings === undefined ? settings : `${settings}; ${furtherSettings}`,
    // A round has about ten statements, and most of them need no answer from the one before.
    pipelined: true,
    onIdleError: onFault,
  })
}
