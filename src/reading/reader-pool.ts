import type { Pool } from 'pg'
import { createPool } from '../database/pool.ts'

/** One connection for rounds, one for the chores of folds, one for measuring. */
const connectionsMax = 3

/**
 * The server ends a statement of a reader after so many milliseconds: its parameters are bounded (`in-parts.ts`), and a
 * round that fails is tried again.
 */
export const readerStatementTimeoutMs = 60_000

/** How often a reader asks whether its database still answers, in milliseconds: its own statements may take long. */
export const readerWatchMs = 5_000

/** Where that has no answer for so many milliseconds, all connections of the reader are replaced. */
export const readerSilenceMsMax = 15_000

/** A round takes at most so many milliseconds: reading a large delivery is one transaction, and the folding is inside it. */
export const readerTransactionMsMax = 15 * 60_000

/** While a reader folds it sends nothing; after so many milliseconds the server gives its deliveries to others. */
export const readerIdleInTransactionMsMax = 60_000

/**
 * Every statement of a reader finds its rows by an index. Left to itself the server would choose otherwise where it
 * knows a table as small, and keep to that plan while the backlog grows to millions.
 */
const settings =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off'

/** The connections of one reader. `statementTimeoutMs`: see `readerStatementTimeoutMs`. */
export const createReaderPool = (
  url: string,
  onFault: (error: Error) => void,
  statementTimeoutMs = readerStatementTimeoutMs,
): Pool =>
  createPool({
    url,
    connectionsMax,
    name: 'numera reader',
    statementTimeoutMs,
    transactionMsMax: readerTransactionMsMax,
    idleInTransactionMs: readerIdleInTransactionMsMax,
    sessionSettings: settings,
    // A round is ten statements long, and most of them need no answer from the one before.
    pipelined: true,
    onIdleError: onFault,
  })
