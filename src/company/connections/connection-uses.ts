import { timestamptzArray, uuidArray } from '../../platform/database/binary-array.ts'
import type { Context } from '../../context.ts'
import { upsertConnectionUses } from './queries.ts'

/**
 * How often it is written when connections were last used, in milliseconds, each in one row of one statement. A process that
 * is killed loses what it has not written.
 */
export const usesWrittenEveryMs = 60_000

/** Connections in one statement; the rest goes with the next. */
export const usesMax = 1_000

/** Connections whose use waits while the database is unavailable; that of further ones is lost until they call again. */
export const usesWaitingMax = 100_000

export interface ConnectionUses extends AsyncDisposable {
  /** Records a use without waiting for the database. */
  add(connectionId: string, atMs: number): void
  /** Writes what waits. Never rejects: what could not be written waits on. */
  write(): Promise<void>
}

/**
 * Keeps in memory when connections were last used, to the minute, and writes it once a minute, so that a call costs no more
 * than an entry in a table of this process. Disposing of it writes what is left.
 */
export function createConnectionUses(context: Pick<Context, 'pool' | 'log'>): ConnectionUses {
  return new BatchedConnectionUses(context)
}

const minuteMs = 60_000

class BatchedConnectionUses implements ConnectionUses {
  readonly #context: Pick<Context, 'pool' | 'log'>
  /** The minute of the last use, in minutes since 1970, by connection. */
  readonly #waiting = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(context: Pick<Context, 'pool' | 'log'>) {
    this.#context = context
  }

  add(connectionId: string, atMs: number): void {
    const minute = Math.floor(atMs / minuteMs)
    if (this.#waiting.get(connectionId) === minute) return
    if (this.#waiting.size >= usesWaitingMax && !this.#waiting.has(connectionId)) return
    this.#waiting.set(connectionId, minute)
    this.#timer ??= setTimeout(() => void this.write(), usesWrittenEveryMs).unref()
  }

  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      if (this.#waiting.size > 0)
        this.#timer ??= setTimeout(() => void this.write(), usesWrittenEveryMs).unref()
    })
    return this.#writing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing
    await this.write()
    clearTimeout(this.#timer)
  }

  async #writeAll(): Promise<void> {
    const entries = [...this.#waiting]
    for (let from = 0; from < entries.length; from += usesMax) {
      const batch = entries.slice(from, from + usesMax)
      try {
        await upsertConnectionUses.run(this.#context.pool, {
          connectionIds: uuidArray(batch.map(([connectionId]) => connectionId)),
          instants: timestamptzArray(batch.map(([, minute]) => minute * minuteMs)),
        })
      } catch (error) {
        this.#context.log.warn({ err: error }, 'when connections were used cannot be recorded now')
        return
      }
      // What was used again meanwhile waits on.
      for (const [connectionId, minute] of batch) {
        if (this.#waiting.get(connectionId) === minute) this.#waiting.delete(connectionId)
      }
    }
  }
}
