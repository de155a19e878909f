import type { Pool } from 'pg'
import { createPool } from '../database/pool.ts'

/** One connection for rounds, one for the chores of folds, one for measuring. */
const connectionsMax = 3

/**
 * Every statement of a reader finds its rows by an index. Left to itself the server would choose otherwise where it
 * knows a table as small, and keep to that plan while the backlog grows to millions.
 */
const settings =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off'

/** The connections of one reader. */
export const createReaderPool = (url: string, onFault: (error: Error) => void): Pool =>
  createPool({
    url,
    connectionsMax,
    name: 'numera reader',
    // Putting the millions of deliveries of one source into the backlog is one statement.
    statementTimeoutMs: 0,
    sessionSettings: settings,
    // A round is ten statements long, and most of them need no answer from the one before.
    pipelined: true,
    onIdleError: onFault,
  })
