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
import { onPlacementChange, toSchemaUrl } from './placements.ts'
import { firstShard, toSearchPath, toShardSchema } from './schemas.ts'
import { typeParsers } from './type-parsers.ts'

/** What a statement can run on: the pool, or the client of a transaction. */
export type Queryable = Pick<Pool | ClientBase, 'query'>

export interface PoolOptions {
  url: string
  /** The schema whose tables its statements find, with the shared ones (`toSearchPath`): the first shard's by default. */
  schema?: string
  /** Concurrent connections; each is a process of the server. */
  connectionsMax?: number
  /** How long a caller waits for a connection before the database counts as unavailable. */
  connectTimeoutMs?: number
  /**
   * The server ends a statement that runs longer. A second later the connection is given up (`answerGraceMs`); a
   * `pipelined` one when it has been silent for that long.
   */
  statementTimeoutMs?: number
  /** See `answerGraceMs` of `deadlines.ts`. */
  answerGraceMs?: number
  /** The server ends a statement that waits longer for a lock; `statementTimeoutMs` by default. */
  lockTimeoutMs?: number
  /** A transaction that takes longer is cut (`inTransaction`). */
  transactionMsMax?: number
  /** The server ends a transaction that is idle for longer. */
  idleInTransactionMs?: number
  /** Shown in `pg_stat_activity`. */
  name?: string
  /** Run on every new connection before anything else: settings of the session. */
  sessionSettings?: string
  /** Checks every new connection before it is used; one for which it rejects is closed, and its caller gets the error. */
  check?: (client: ClientBase) => Promise<void>
  /**
   * Statements are sent without waiting for the answers to earlier ones; the server runs them in order. Every other
   * pool sends one statement at a time. A statement's wait then includes all those before it: on this side it may last
   * as long as the transaction, and the connection is given up if it is silent for as long as one statement may run.
   */
  pipelined?: boolean
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onIdleError?: (error: Error) => void
}

/** A connection that can be closed without the server's help. */
export class CuttableClient extends Client {
  /** The server's process; the driver's types do not know it. */
  declare readonly processID: number
  readonly #socket: Socket
  /** Whether the server is a node of Citus. Known once a pool gives it. */
  isOnCitus = false
  /** The node that it is to. */
  readonly url: string | undefined
  #schema: string
  #isWaiting = false
  #bytesReceived = 0
  #silentPolls = 0

  /** @param schema that the search path of `config` begins with */
  constructor(config: ClientConfig, schema: string) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
    this.url = config.connectionString
    this.#schema = schema
    const query = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((first: unknown, ...rest: unknown[]) =>
      query(this.#nameInSchema(first), ...rest)) as typeof this.query
  }

  /**
   * From now on its statements find the tables of this schema. A statement is prepared once for each schema, under a name of
   * its own: the server plans one again each time that the path differs from the one it was prepared with.
   */
  async useSchema(schema: string): Promise<void> {
    if (schema === this.#schema) return
    await this.query(`set search_path = ${toSearchPath(schema)}`)
    this.#schema = schema
  }

  #nameInSchema(query: unknown): unknown {
    const isNamed = typeof query === 'object' && query !== null && 'name' in query
    return isNamed ? { ...query, name: `${this.#schema}.${String(query.name)}` } : query
  }

  /**
   * From now on the connection is cut, and `onCut` called, if a statement has no answer within `answerMsMax` or, if
   * given, nothing is sent or received for `silenceMsMax` meanwhile. There is one timer per connection: with the driver's,
   * one per statement, V8 keeps the rows of each answer until its next major collection.
   */
  cutWhenUnresponsive(deadlines: { answerMsMax: number; silenceMsMax?: number }, onCut: () => void): void {
    const onTimeout = (): void => {
      if (!this.#isWaiting) return
      this.cut()
      onCut()
    }
    const timer = setTimeout(onTimeout, deadlines.answerMsMax).unref()
    this.once('end', () => clearTimeout(timer))
    if (deadlines.silenceMsMax !== undefined) this.#socket.setTimeout(deadlines.silenceMsMax, onTimeout)

    const query = this.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((...args: unknown[]) => {
      this.#isWaiting = true
      timer.refresh()
      return query(...args)
    }) as typeof this.query
    this.on('drain', () => {
      this.#isWaiting = false
    })
  }

  /** Call it at regular intervals. How many times in a row it was waiting and had received nothing since the last call. */
  countSilentPoll(): number {
    this.#silentPolls = this.#isSilent() ? this.#silentPolls + 1 : 0
    this.#bytesReceived = this.#socket.bytesRead
    return this.#silentPolls
  }

  /** The last count; 0 once something has been received. */
  get silentPolls(): number {
    return this.#isSilent() ? this.#silentPolls : 0
  }

  #isSilent(): boolean {
    return this.#isWaiting && this.#socket.bytesRead === this.#bytesReceived
  }

  /** Closes it; pending statements reject immediately. */
  cut(): void {
    this.#socket.destroy()
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // A server that does not answer never closes its side, which would delay the callers waiting for a replacement.
    const timer = setTimeout(() => this.cut(), goodbyeMsMax)
    this.once('end', () => clearTimeout(timer))
    return callback === undefined ? super.end() : super.end(callback)
  }
}

/** The schema of a connection is on another node now. */
class MovedError extends Error {}

/** Citus plans a statement that writes each time it runs; a generic plan of it would fail. */
const settingsOnCitus = `select set_config('plan_cache_mode', 'auto', false) from pg_extension where extname = 'citus'`

const transactionLimits = new WeakMap<Pool, number>()
const connectionsOfPools = new WeakMap<Pool, ReadonlySet<CuttableClient>>()
const origins = new WeakMap<Pool, () => Pool>()

/** Declares that a pool gives the connections of another one. */
export function setOrigin(pool: Pool, toOrigin: () => Pool): void {
  origins.set(pool, toOrigin)
}

/** The pool whose connections a pool gives: another one if it is one schema's (`schema-pools.ts`), else itself. */
export function getOrigin(pool: Pool): Pool {
  return origins.get(pool)?.() ?? pool
}

/** The free connections of a pool. Connections to a node that the schema has left are not kept. */
class FreeConnections {
  readonly #clients = new Set<PoolClient>()
  readonly #toUrl: () => string

  constructor(toUrl: () => string) {
    this.#toUrl = toUrl
  }

  watch(pool: Pool): void {
    pool.on('acquire', (client) => this.#clients.delete(client))
    pool.on('remove', (client) => this.#clients.delete(client))
    pool.on('release', (error, client) => {
      if (error) return
      // The pool drops a connection that is ending.
      if (this.#hasMoved(client)) void client.end()
      else this.#clients.add(client)
    })
  }

  /** The pool drops a free connection that emits an error; of the cut it would only learn a turn later. */
  drop(error: Error, clients: Iterable<PoolClient> = this.#clients): void {
    for (const client of clients) {
      client.emit('error', error)
      cutConnection(client)
    }
  }

  dropMoved(): void {
    this.drop(
      new MovedError(),
      [...this.#clients].filter((client) => this.#hasMoved(client)),
    )
  }

  #hasMoved(client: PoolClient): boolean {
    return client instanceof CuttableClient && client.url !== this.#toUrl()
  }
}

/**
 * A pool of connections to PostgreSQL. Everything about it has a deadline, on the server and on this side. On Citus its
 * connections go to the node that has the schema. End it with `endPool`.
 */
export function createPool(options: PoolOptions): Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? patientStatementTimeoutMs
  const transactionMsMax = options.transactionMsMax ?? patientTransactionMsMax
  const schema = options.schema ?? toShardSchema(firstShard)
  const toUrl = (): string => toSchemaUrl(options.url, schema)
  const clients = new Set<CuttableClient>()
  const free = new FreeConnections(toUrl)
  /** The cause of one broken connection most likely affects all, and each would cost a caller its deadline. */
  const cutFree = (): void =>
    free.drop(new Error('Connection terminated: another one of the pool does not answer'))

  class PooledClient extends CuttableClient {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: toUrl() }, schema)
      clients.add(this)
      this.once('end', () => clients.delete(this))
      const answerMsMax = statementTimeoutMs + (options.answerGraceMs ?? answerGraceMs)
      this.cutWhenUnresponsive(
        options.pipelined ? { answerMsMax: transactionMsMax, silenceMsMax: answerMsMax } : { answerMsMax },
        cutFree,
      )
    }
  }

  const pool = new Pool({
    connectionString: options.url,
    Client: PooledClient,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? connectMsMax,
    idleTimeoutMillis: 60_000,
    // The operating system notices a connection that the network half closed, before a request does.
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    statement_timeout: statementTimeoutMs,
    ...(options.lockTimeoutMs === undefined ? {} : { lock_timeout: options.lockTimeoutMs }),
    // A client that vanished inside a transaction must not keep its locks.
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? idleInTransactionMsMax,
    application_name: options.name ?? 'numera',
    // Every statement is planned once per connection. Left to itself, the server plans a statement with array
    // parameters every time it runs, since it guesses their lengths: admission would cost three times as much.
    // JIT compilation, on by default, takes longer than running our statements.
    options: `-c search_path=${toSearchPath(schema)} -c plan_cache_mode=force_generic_plan -c jit=off`,
    types: typeParsers,
    pipeline: options.pipelined ?? false,
    onConnect: async (client) => {
      // An array of results if there are several.
      const results = [await client.query(`${settingsOnCitus}; ${options.sessionSettings ?? ''}`)].flat()
      if (client instanceof CuttableClient) client.isOnCitus = results[0]!.rowCount === 1
      await options.check?.(client)
    },
  })
  transactionLimits.set(pool, transactionMsMax)
  connectionsOfPools.set(pool, clients)
  // Without a listener the first broken idle connection would end the process.
  pool.on('error', (error) => {
    if (!(error instanceof MovedError)) options.onIdleError?.(error)
  })
  free.watch(pool)
  const ignorePlacements = onPlacementChange(options.url, () => free.dropMoved())
  const end = pool.end.bind(pool)
  pool.end = ((...args: []) => {
    ignorePlacements()
    return end(...args)
  }) as Pool['end']
  return pool
}

/** The connections of a pool, free ones and others. */
export function getConnections(pool: Pool): ReadonlySet<CuttableClient> {
  return connectionsOfPools.get(getOrigin(pool)) ?? new Set()
}

/** How long a transaction of this pool may take, in milliseconds, tries included. */
export function getTransactionMsMax(pool: Pool): number {
  return transactionLimits.get(getOrigin(pool)) ?? patientTransactionMsMax
}

/** Closes a connection of `createPool` immediately. Pending statements reject as `isDatabaseUnavailable`. */
export function cutConnection(client: ClientBase): void {
  if (client instanceof CuttableClient) client.cut()
}

/** Whether a connection of `createPool` is to a node of Citus. */
export function isOnCitus(client: ClientBase): boolean {
  return client instanceof CuttableClient && client.isOnCitus
}

/** Closes all connections of a pool immediately; it opens others as needed. */
export function cutAll(pool: Pool): void {
  for (const client of getConnections(pool)) client.cut()
}

/** Ends a pool: pending statements have `poolEndMsMax`, then their connections are cut. A second call cuts immediately. */
export async function endPool(pool: Pool): Promise<void> {
  if (pool.ending) return cutAll(pool)
  const impatient = setTimeout(() => cutAll(pool), poolEndMsMax)
  await Promise.race([pool.end(), sleep(poolEndMsMax + goodbyeMsMax, undefined, { ref: false })])
  clearTimeout(impatient)
}
