import type { ClientBase, Pool } from 'pg'
import { answerGraceMs, standbyCheckMsMax, standbyReadMsMax, standbyRestMs } from '../deadlines.ts'
import { isDatabaseUnavailable } from '../is-database-unavailable.ts'
import { isDistributed } from '../placements.ts'
import { createPool, cutAll, cutConnection, endPool, type Queryable } from '../pool.ts'
import { describePlace, unreachableError } from '../unreachable-error.ts'
import { countMigrations, describeServer, type ServerRow } from './queries.ts'

/** A server that may not answer for the primary; the message says why, for the operator. */
export class UnlikePrimaryError extends Error {
  override readonly name = 'UnlikePrimaryError'
}

/** It is a copy of another server. On Citus each node has standbys of its own, so this is as it should be. */
class OtherServerError extends UnlikePrimaryError {}

export interface StandbyLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface StandbyOptions {
  url: string
  shard: number
  schema: string
  /** The same shard on the primary. */
  primary: Pool
  connectionsMax: number
  /** Shown in `pg_stat_activity`, followed by `standby`. */
  name: string
  log: StandbyLog
}

async function describe(on: Queryable): Promise<ServerRow & { migrations: number }> {
  return { ...(await describeServer.first(on, {}))!, ...(await countMigrations.first(on, {}))! }
}

/** Why a server may not answer for the primary; undefined if it may. */
function findDifference(server: ServerRow, primary: ServerRow): string | undefined {
  if (server.database_id !== primary.database_id) return 'it names another database than DATABASE_URL'
  if (!server.is_standby) return 'it is no standby: it was promoted, or is the primary itself'
  if (server.date_style !== primary.date_style) return 'its DateStyle is not that of the primary'
  if (server.time_zone !== primary.time_zone) return 'its TimeZone is not that of the primary'
  if (server.collation_version !== primary.collation_version)
    return 'it may sort text in another order than the primary'
  return undefined
}

/**
 * The connections to one shard on a standby. Nothing waits to find out whether it can be used: the first read has it
 * checked, and so does the first one after a rest; until then the primary answers. Every new connection is checked too,
 * since an address may lead to another server than before.
 */
export class Standby implements AsyncDisposable {
  readonly #options: StandbyOptions
  readonly #pool: Pool
  #primary: (ServerRow & { migrations: number }) | undefined
  #isUsable = false
  #isChecking = false
  /** By the monotonic clock. */
  #restsUntilMs = 0
  /** Why it is left alone, as the log says it. */
  #reason = ''

  constructor(options: StandbyOptions) {
    this.#options = options
    const { url, schema, connectionsMax, name } = options
    this.#pool = createPool({
      url,
      schema,
      connectionsMax,
      name: `${name} standby`,
      connectTimeoutMs: standbyCheckMsMax,
      statementTimeoutMs: standbyReadMsMax,
      answerGraceMs: Math.min(answerGraceMs, standbyCheckMsMax),
      check: (client) => this.#check(client),
    })
  }

  /** Its connections; undefined while it is left alone. */
  getPool(): Pool | undefined {
    if (this.#isUsable) return this.#pool
    if (!this.#isChecking && performance.now() >= this.#restsUntilMs) void this.#tryAgain()
    return undefined
  }

  /** After a fault: reads do not try it for `standbyRestMs`. */
  leaveAlone(error: unknown): void {
    this.#rest()
    // The next read on any of them would wait as long.
    if (isDatabaseUnavailable(error)) cutAll(this.#pool)
    const { url, shard, primary, log } = this.#options
    const { message } = unreachableError(error, url, 'NUMERA_STANDBY_URLS') as Error
    if (message === this.#reason || this.#pool.ending) return
    this.#reason = message
    if (error instanceof OtherServerError && isDistributed(primary.options.connectionString!)) return
    log.warn(
      { standby: this.#place, shard, reason: message },
      'a standby is left alone, and the primary answers',
    )
  }

  #rest(): void {
    this.#isUsable = false
    this.#restsUntilMs = performance.now() + standbyRestMs
  }

  get #place(): string {
    return describePlace(this.#options.url).trim()
  }

  async #tryAgain(): Promise<void> {
    const { primary, shard, log } = this.#options
    this.#isChecking = true
    try {
      this.#primary = await describe(primary)
    } catch {
      // Not the standby's fault.
      this.#rest()
      this.#isChecking = false
      return
    }
    try {
      // Also over a connection that was idle meanwhile.
      await this.#compare(this.#pool)
      this.#isUsable = true
      this.#reason = ''
      log.info({ standby: this.#place, shard }, 'a standby answers reads')
    } catch (error) {
      this.leaveAlone(error)
    } finally {
      this.#isChecking = false
    }
  }

  async #check(client: ClientBase): Promise<void> {
    const timer = setTimeout(() => cutConnection(client), standbyCheckMsMax)
    try {
      await this.#compare(client)
    } finally {
      clearTimeout(timer)
    }
  }

  async #compare(on: Queryable): Promise<void> {
    const server = (await describeServer.first(on, {}))!
    if (server.system_identifier !== this.#primary!.system_identifier)
      throw new OtherServerError('it is no copy of the server in DATABASE_URL')
    const difference = findDifference(server, this.#primary!)
    if (difference !== undefined) throw new UnlikePrimaryError(difference)
    const found = await countMigrations.first(on, {})
    if (found!.migrations < this.#primary!.migrations)
      throw new UnlikePrimaryError('it does not have all migrations yet')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endPool(this.#pool)
  }
}
