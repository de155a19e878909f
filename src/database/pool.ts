import { Pool, type ClientBase } from 'pg'
import { typeParsers } from './type-parsers.ts'

/** What a statement can run on: the pool, or the client of a transaction. */
export type Queryable = Pick<Pool | ClientBase, 'query'>

export interface PoolOptions {
  url: string
  /** At most so many connections; each is a process of the server. */
  connectionsMax?: number
  /** How long a caller waits for a connection before it is told that the database is away. */
  connectTimeoutMs?: number
  /** The server ends a statement that runs longer; 0 is no limit. */
  statementTimeoutMs?: number
  /** Shown in `pg_stat_activity`. */
  name?: string
  /** Run on every new connection before anything else: settings of the session. */
  sessionSettings?: string
  /**
   * Statements are sent without waiting for the answers of those before; the server does them in order. Every other
   * pool takes one statement at a time.
   */
  pipelined?: boolean
  /** Told when a connection nobody is using breaks; the pool replaces it by itself. */
  onIdleError?: (error: Error) => void
}

/** A pool of connections to PostgreSQL. End it with `pool.end()`. */
export const createPool = (options: PoolOptions): Pool => {
  const pool = new Pool({
    connectionString: options.url,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    // A connection half closed by a network is noticed by the operating system, not by a request.
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    // A client that vanished inside a transaction must not keep its locks.
    idle_in_transaction_session_timeout: 60_000,
    application_name: options.name ?? 'numera',
    // Every statement is planned once a connection. Left to itself the server plans one that takes arrays anew each
    // time it runs, since it guesses their lengths: admission then costs three times as much.
    options: '-c plan_cache_mode=force_generic_plan',
    types: typeParsers,
    pipeline: options.pipelined ?? false,
    ...(options.sessionSettings === undefined
      ? {}
      : {
          onConnect: async (client) => {
            await client.query(options.sessionSettings!)
          },
        }),
  })
  // Without a listener the first broken idle connection would end the process.
  pool.on('error', (error) => options.onIdleError?.(error))
  return pool
}
