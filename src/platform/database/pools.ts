import type { Pool } from 'pg'
import {
  acceptLockTimeoutMs,
  acceptStatementTimeoutMs,
  answerGraceMs,
  connectMsMax,
  pageLockTimeoutMs,
  pageStatementTimeoutMs,
  pageTransactionMsMax,
  readStatementTimeoutMs,
} from './deadlines.ts'
import { createPool, type PoolOptions } from './pool.ts'
import { createSchemaPools, type SchemaPools } from './schema-pools.ts'

/** The connections of a process in separate pools, so that slow work in one does not delay the others. */
export interface Pools {
  /**
   * Admission, lookups of credentials and tokens, storing deliveries, and their rate limits: short statements only.
   */
  acceptPool: Pool
  /** Reads of companies' numbers: samples, reports, traces. */
  readPool: Pool
  /** Everything else: pages, OAuth, records of calls. Shared among callers (`countAs`). */
  pool: Pool
}

/** The same connections, as each schema sees them. */
export interface OpenPools extends AsyncDisposable {
  /** Those of `access` see no shard. */
  at(schema: string): Pools
}

export interface PoolsOptions {
  url: string
  /** Of all pools of a node together, however many schemas there are. */
  connectionsMax: number
  /** Shown in `pg_stat_activity`, followed by the pool. */
  name: string
  /** For an operator's command, which has no HTTP caller: statements may take a minute. */
  patient?: boolean
  /** See `PoolOptions`. */
  sessionSettings?: string
  onIdleError?: (error: Error) => void
}

/**
 * The most connections of each pool. Accepting has half of them, which is plenty: each of its statements serves all
 * calls that wait.
 */
function poolSizes(connectionsMax: number): { accept: number; read: number; page: number } {
  const quarter = Math.floor(connectionsMax / 4)
  return { accept: connectionsMax - 2 * quarter, read: quarter, page: quarter }
}

type Deadlines = Pick<
  PoolOptions,
  | 'connectTimeoutMs'
  | 'answerGraceMs'
  | 'statementTimeoutMs'
  | 'lockTimeoutMs'
  | 'transactionMsMax'
  | 'pipelined'
>

/** Opens the pools; connections are made when needed. Disposing of them ends all, within `poolEndMsMax`. */
export function openPools(options: PoolsOptions): OpenPools {
  const { url, connectionsMax, name, patient = false, sessionSettings, onIdleError } = options
  const sizes = poolSizes(connectionsMax)
  const common = { connectTimeoutMs: connectMsMax, answerGraceMs }
  const open = (pool: keyof typeof sizes, deadlines: Deadlines): SchemaPools =>
    createSchemaPools({
      url,
      isShared: pool === 'page',
      open: (at) =>
        createPool({
          ...at,
          connectionsMax: sizes[pool],
          name: `${name} ${pool}`,
          ...(patient ? common : { ...common, ...deadlines }),
          ...(sessionSettings === undefined ? {} : { sessionSettings }),
          ...(onIdleError === undefined ? {} : { onIdleError }),
        }),
    })
  const accept = open('accept', {
    statementTimeoutMs: acceptStatementTimeoutMs,
    lockTimeoutMs: acceptLockTimeoutMs,
    transactionMsMax: acceptStatementTimeoutMs + answerGraceMs,
    pipelined: true,
  })
  const read = open('read', { statementTimeoutMs: readStatementTimeoutMs })
  const page = open('page', {
    statementTimeoutMs: pageStatementTimeoutMs,
    lockTimeoutMs: pageLockTimeoutMs,
    transactionMsMax: pageTransactionMsMax,
  })
  return {
    at: (schema) => ({
      acceptPool: accept.get(schema),
      readPool: read.get(schema),
      pool: page.get(schema),
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([accept, read, page].map((pools) => pools.end()))
    },
  }
}
