import { timestamptzArray, uuidArray } from '../../platform/database/binary-array.ts'
import type { DirectoryContext } from '../../context.ts'
import { upsertConnectionUses } from './queries.ts'

/**
 * How often last uses are written, in milliseconds, all in one statement. A process that is killed loses the unwritten
 * ones.
 */
const usesWrittenEveryMs = 60_000

/** Connections per statement; the rest is written by the next. */
const usesMax = 1_000

/** Connections whose use is kept while the database is unavailable; beyond it, a use is lost until the next call. */
const usesWaitingMax = 100_000

export interface ConnectionUses extends AsyncDisposable {
  /** Records a use without waiting for the database. */
  add(connectionId: string, atMs: number): void
  /** Writes pending uses. Never rejects: what could not be written is kept for the next time. */
  write(): Promise<void>
}

/**
 * Keeps the last use of each connection in memory, to the minute, and writes it once a minute, so that a call costs no more
 * than a map entry. Disposing of it writes the rest.
 */
export function createConnectionUses(context: Pick<DirectoryContext, 'pool' | 'log'>): ConnectionUses {
  return new BatchedConnectionUses(context)
}

const minuteMs = 60_000

class BatchedConnectionUses implements ConnectionUses {
  readonly #context: Pick<DirectoryContext, 'pool' | 'log'>
  /** The minute of the last use, in minutes since 1970, by connection. */
  readonly #waiting = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(context: Pick<DirectoryContext, 'pool' | 'log'>) {
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
      // Connections used again in the meantime stay pending.
      for (const [connectionId, minute] of batch) {
        if (this.#waiting.get(connectionId) === minute) this.#waiting.delete(connectionId)
      }
    }
  }
}
