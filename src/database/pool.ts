import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Pool, type ClientBase, type ClientConfig, type PoolClient } from 'pg'
import {
  answerGraceMs,
  connectMsMax,
  goodbyeMsMax,
  idleInTransactionMsMax,
  keepAliveDelayMs,
  patientStatementTimeoutMs,
  patientTransactionMsMax,
  poolEndMsMax,
} from './deadlines.ts'
import { typeParsers } from './type-parsers.ts'

/** What a statement can run on: the pool, or the client of a transaction. */
export type Queryable = Pick<Pool | ClientBase, 'query'>

export interface PoolOptions {
  url: string
  /** Connections at once; each is a process of the server. */
  connectionsMax?: number
  /** How long a caller waits for a connection before it is told that the database is away. */
  connectTimeoutMs?: number
  /**
   * The server ends a statement that runs longer. A second later the connection is given up (`answerGraceMs`); one that
   * is `pipelined`, once it has been silent for so long.
   */
  statementTimeoutMs?: number
  /** See `answerGraceMs` of `deadlines.ts`. */
  answerGraceMs?: number
  /** The server ends a statement that waits longer for a lock; as long as the statement may run, unless said. */
  lockTimeoutMs?: number
  /** A transaction that takes longer is cut (`inTransaction`). */
  transactionMsMax?: number
  /** The server ends a transaction in which nothing was sent for so long. */
  idleInTransactionMs?: number
  /** Shown in `pg_stat_activity`. */
  name?: string
  /** Run on every new connection before anything else: settings of the session. */
  sessionSettings?: string
  /**
   * Statements are sent without waiting for the answers of those before; the server does them in order. Every other
   * pool takes one statement at a time. A statement's wait for an answer then includes all those before it: on this side
   * it may last as long as the transaction, and the connection is given up where it is silent for as long as one may run.
   */
  pipelined?: boolean
  /** Told when a connection nobody is using breaks; the pool replaces it by itself. */
  onIdleError?: (error: Error) => void
}

/** A connection that can be closed without the server's help. */
class CuttableClient extends Client {
  readonly #socket: Socket

  constructor(config?: ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
  }

  /**
   * From now on it is cut, and `onDeaf` told, where a statement has no answer within `answerMsMax`, and with `silenceMsMax`
   * also where meanwhile nothing is sent and nothing comes for so long. A statement with a `query_timeout` of its own has only
   * that. One timer a connection: with the driver's, which is one a statement, V8 keeps the rows of each answer until
   * its next major collection.
   */
  cutWhenDeaf(deadlines: { answerMsMax: number; silenceMsMax?: number }, onDeaf: () => void): void {
    let isWaiting = false
    const look = (): void => {
      if (!isWaiting) return
      this.cut()
      onDeaf()
    }
    const timer = setTimeout(look, deadlines.answerMsMax).unref()
    this.once('end', () => clearTimeout(timer))
    if (deadlines.silenceMsMax !== undefined) this.#socket.setTimeout(deadlines.silenceMsMax, look)

    const query = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((...args: unknown[]) => {
      isWaiting = (args[0] as { query_timeout?: number }).query_timeout === undefined
      timer.refresh()
      return query(...args)
    }) as typeof this.query
    this.on('drain', () => {
      isWaiting = false
    })
  }

  /** What is under way on it rejects at once. */
  cut(): void {
    this.#socket.destroy()
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // A deaf server never closes its side, and callers who wait for this one to be replaced would wait with it.
    const timer = setTimeout(() => this.cut(), goodbyeMsMax)
    this.once('end', () => clearTimeout(timer))
    return callback === undefined ? super.end() : super.end(callback)
  }
}

/** What the driver says when a statement had no answer within its deadline (`query_timeout`). */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

const transactionLimits = new WeakMap<Pool, number>()
const clientsOf = new WeakMap<Pool, ReadonlySet<CuttableClient>>()

/**
 * A pool of connections to PostgreSQL. Everything about it has a deadline, on the server and on this side. End it with
 * `endPool`.
 */
export function createPool(options: PoolOptions): Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? patientStatementTimeoutMs
  const transactionMsMax = options.transactionMsMax ?? patientTransactionMsMax
  const clients = new Set<CuttableClient>()
  const idle = new Set<PoolClient>()

  /** What made one connection deaf most likely made all of them deaf, and each would cost a caller its deadline. */
  const cutIdle = (): void => {
    for (const client of idle) {
      // The pool drops an idle connection that tells of an error; that it was cut, it would learn a turn later.
      client.emit('error', new Error('Connection terminated beside one that has gone deaf'))
      cutConnection(client)
    }
  }

  class OwnClient extends CuttableClient {
    constructor(config?: ClientConfig) {
      super(config)
      clients.add(this)
      this.once('end', () => clients.delete(this))
      const answerMsMax = statementTimeoutMs + (options.answerGraceMs ?? answerGraceMs)
      this.cutWhenDeaf(
        options.pipelined ? { answerMsMax: transactionMsMax, silenceMsMax: answerMsMax } : { answerMsMax },
        cutIdle,
      )
    }
  }

  const pool = new Pool({
    connectionString: options.url,
    Client: OwnClient,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? connectMsMax,
    idleTimeoutMillis: 60_000,
    // A connection half closed by a network is noticed by the operating system, not by a request.
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    statement_timeout: statementTimeoutMs,
    ...(options.lockTimeoutMs === undefined ? {} : { lock_timeout: options.lockTimeoutMs }),
    // A client that vanished inside a transaction must not keep its locks.
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? idleInTransactionMsMax,
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
  transactionLimits.set(pool, transactionMsMax)
  clientsOf.set(pool, clients)
  // Without a listener the first broken idle connection would end the process.
  pool.on('error', (error) => options.onIdleError?.(error))

  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('release', (error, client) => {
    if (!error) idle.add(client)
  })
  return pool
}

/** How long a transaction of this pool may take, in milliseconds, tries included. */
export function transactionMsMaxOf(pool: Pool): number {
  return transactionLimits.get(pool) ?? patientTransactionMsMax
}

/** Closes a connection of `createPool` at once. What is under way on it rejects, as `isDatabaseUnavailable` knows. */
export function cutConnection(client: ClientBase): void {
  if (client instanceof CuttableClient) client.cut()
}

function cutAll(pool: Pool): void {
  for (const client of clientsOf.get(pool) ?? []) client.cut()
}

/** Ends a pool: lets what is under way end for a while (`poolEndMsMax`), then cuts it. Called again, it cuts at once. */
export async function endPool(pool: Pool): Promise<void> {
  if (pool.ending) return cutAll(pool)
  const impatient = setTimeout(() => cutAll(pool), poolEndMsMax)
  await Promise.race([pool.end(), sleep(poolEndMsMax + goodbyeMsMax, undefined, { ref: false })])
  clearTimeout(impatient)
}

/**
 * For a pool whose statements may take long: asks for nothing now and then, on any connection that is free. Where even that
 * has no answer for `silenceMsMax`, all its connections are cut, since what made that one deaf made all of them deaf.
 */
export function watchPool(pool: Pool, everyMs: number, silenceMsMax: number): Disposable {
  // The driver knows the member, its types do not.
  const probe = { text: 'select', query_timeout: silenceMsMax }
  let isAsking = false
  const ask = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    try {
      await pool.query(probe)
    } catch (error) {
      if (isUnanswered(error)) cutAll(pool)
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(() => void ask(), everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
