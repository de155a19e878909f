/** Records in one statement; as soon as this many wait, they are written. */
const recordBatchMax = 500

/**
 * How long a record waits for others, in milliseconds; then it is written. A process that is killed loses those that
 * wait.
 */
const recordWaitMs = 1_000

/** How many records of one kind wait while the database is unavailable; further ones are lost, and counted. */
const recordsWaitingMax = 10_000

export interface RecordBatches<Item> extends AsyncDisposable {
  /** Queues a record; it is written soon. */
  add(record: Item): void
}

export interface RecordBatchesOptions<Item> {
  /**
   * Writes records that are always written together: all or none, each with a key of its own, so that tried again they are a
   * unique violation.
   */
  write: (records: readonly Item[]) => Promise<void>
  /** See `recordWaitMs`. */
  everyMs?: number
  /** See `recordsWaitingMax`. */
  waitingMax?: number
  onBatch?: (batch: { items: number; durationMs: number }) => void
  /** Called once when records can no longer be written, until they can again. */
  onFailure?: (error: unknown) => void
  /** Records were lost; `isFirst` since some were written. */
  onLoss?: (count: number, isFirst: boolean) => void
}

const uniqueViolation = '23505'

/**
 * Gathers records of what has been answered and writes them in batches, one at a time, so that no call waits for its
 * record. While the database is unavailable they wait, up to a bound. Disposing of it writes what is left.
 */
export function createRecordBatches<Item>(options: RecordBatchesOptions<Item>): RecordBatches<Item> {
  return new WaitingRecords(options)
}

class WaitingRecords<Item> implements RecordBatches<Item> {
  readonly #options: RecordBatchesOptions<Item>
  readonly #waiting: Item[] = []
  /** How many of the first ones are a batch that could not be written: it stays as it is, and waits for the timer. */
  #failed = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isLossReported = false

  constructor(options: RecordBatchesOptions<Item>) {
    this.#options = options
  }

  add(record: Item): void {
    const { waitingMax = recordsWaitingMax } = this.#options
    if (this.#waiting.length >= waitingMax) return this.#lose(1)
    this.#waiting.push(record)
    if (this.#waiting.length >= recordBatchMax && this.#failed === 0) this.#start()
    else this.#startSoon()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing
    clearTimeout(this.#timer)
    if (this.#waiting.length > 0) await this.#writeBatches(1)
    if (this.#waiting.length > 0) this.#lose(this.#waiting.length)
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeBatches(recordBatchMax).finally(() => {
      this.#writing = undefined
      if (this.#waiting.length > 0) this.#startSoon()
    })
  }

  #startSoon(): void {
    this.#timer ??= setTimeout(() => this.#start(), this.#options.everyMs ?? recordWaitMs).unref()
  }

  /** Writes a batch, and more as long as `waitingMin` wait. Never rejects: what could not be written stays. */
  async #writeBatches(waitingMin: number): Promise<void> {
    do {
      const batch = this.#waiting.slice(0, this.#failed > 0 ? this.#failed : recordBatchMax)
      const startedMs = performance.now()
      try {
        await this.#write(batch)
      } catch (error) {
        if (this.#failed === 0) this.#options.onFailure?.(error)
        this.#failed = batch.length
        return
      }
      this.#options.onBatch?.({ items: batch.length, durationMs: performance.now() - startedMs })
      this.#failed = 0
      this.#isLossReported = false
      this.#waiting.splice(0, batch.length)
    } while (this.#waiting.length >= waitingMin)
  }

  /** A unique violation means that an earlier commit without an answer has written the batch. */
  async #write(batch: readonly Item[]): Promise<void> {
    await this.#options.write(batch).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== uniqueViolation) throw error
    })
  }

  #lose(count: number): void {
    this.#options.onLoss?.(count, !this.#isLossReported)
    this.#isLossReported = true
  }
}
