import { setImmediate as nextTurn } from 'node:timers/promises'
import { DeadlineError } from './deadline-error.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { OverloadedError } from './overloaded-error.ts'

export interface BatcherOptions<Item, Result> {
  /**
   * Runs one batch, all or nothing (one statement or one transaction), and returns results in the items' order.
   * Up to `concurrencyMax` calls run concurrently, so equal items can be in two batches.
   */
  run: (items: Item[]) => Promise<Result[]>
  /** Items of one batch. */
  itemsMax: number
  /** Bytes of one batch; a larger item goes by itself. */
  bytesMax?: number
  /** What an item counts against `bytesMax`. */
  getSize?: (item: Item) => number
  /** Concurrent batches. Two keep the disk busy while the next one gathers. */
  concurrencyMax?: number
  /** Items that wait; a further one is rejected with an `OverloadedError`. */
  queueMax?: number
  /** See `itemMsMax`. */
  itemMsMax?: number
  /**
   * A batch under way is always waited for, however long `run` takes (which the database's deadlines bound): for items
   * that cannot safely be sent again while their outcome is unknown.
   */
  waitsOut?: boolean
  /** Called after every run, retries of parts included. */
  onBatch?: (batch: { items: number; bytes: number; durationMs: number; failed: boolean }) => void
}

export interface Batcher<Item, Result> {
  /**
   * Settles with this item's own result; rejects alone if the item itself is at fault. Rejects with a `DeadlineError`
   * if it has no result in time.
   */
  submit(item: Item): Promise<Result>
  /** How many items wait; those under way are not counted. */
  readonly waiting: number
}

/**
 * How long an item waits for its result, in milliseconds, from being submitted. Beyond it (at most `sweepMs` later) its
 * caller gets 503, while its batch continues.
 */
const itemMsMax = 4_000

/**
 * How often a timer checks for late items, in milliseconds: an item may wait this much longer. A timer for each item would
 * cost more than everything else.
 */
const sweepMs = 500

/** Turns of the event loop in which a batch gathers, as long as each brings more. */
const gatherTurnsMax = 8

/**
 * Results that are delivered in one turn of the event loop. Otherwise all callers of a large batch would continue in one
 * turn, while the database is idle.
 */
const resultsPerTurn = 64

interface Entry<Item, Result> {
  item: Item
  bytes: number
  /** The number of sweeps before it was submitted. */
  sweep: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * SQLSTATE classes that no single item causes: insufficient resources, operator intervention, system and internal errors,
 * serialization failures.
 */
const serverFault = /^(40|53|57|58|F0|XX)/

function late(): DeadlineError {
  return new DeadlineError('no result came of a batch in time')
}

function isServerFault(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return (
    isDatabaseUnavailable(error) || (typeof code === 'string' && code.length === 5 && serverFault.test(code))
  )
}

class GroupBatcher<Item, Result> implements Batcher<Item, Result> {
  readonly #run: BatcherOptions<Item, Result>['run']
  readonly #onBatch: BatcherOptions<Item, Result>['onBatch']
  readonly #getSize: (item: Item) => number
  readonly #itemsMax: number
  readonly #bytesMax: number
  readonly #concurrencyMax: number
  readonly #queueMax: number
  readonly #waitsOut: boolean
  readonly #sweepsMax: number

  #queue: Entry<Item, Result>[] = []
  /** Entries before this index are dispatched. They are removed now and then, since shifting each costs linear time. */
  #head = 0
  /** Batches under way, each in the order in which its items came. */
  readonly #batches = new Set<Entry<Item, Result>[]>()
  #isGathering = false
  /** While gathering: how many items waited at the last turn, and how many turns it has taken. */
  #seen = 0
  #turns = 0
  #sweeps = 0
  #isSweeping = false

  constructor(options: BatcherOptions<Item, Result>) {
    this.#run = options.run
    this.#onBatch = options.onBatch
    this.#getSize = options.getSize ?? (() => 0)
    this.#itemsMax = options.itemsMax
    this.#bytesMax = options.bytesMax ?? Number.POSITIVE_INFINITY
    this.#concurrencyMax = options.concurrencyMax ?? 2
    this.#queueMax = options.queueMax ?? Number.POSITIVE_INFINITY
    this.#waitsOut = options.waitsOut ?? false
    this.#sweepsMax = Math.ceil((options.itemMsMax ?? itemMsMax) / sweepMs)
  }

  get waiting(): number {
    return this.#queue.length - this.#head
  }

  readonly submit = (item: Item): Promise<Result> => {
    if (this.waiting >= this.#queueMax) return Promise.reject(new OverloadedError('too many calls wait'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, bytes: this.#getSize(item), sweep: this.#sweeps, resolve, reject })
      this.#schedule()
      this.#sweepSoon()
    })
  }

  #schedule(): void {
    if (this.#batches.size >= this.#concurrencyMax || this.waiting === 0) return
    if (this.waiting >= this.#itemsMax) {
      this.#start()
      return
    }
    if (this.#isGathering) return
    this.#isGathering = true
    this.#seen = this.waiting
    this.#turns = 0
    setImmediate(this.#gather)
  }

  /**
   * While every turn of the event loop brings more items, waiting one turn longer costs a lone call nothing and makes
   * one statement of several: under load this saves a third of the database's work and a fifth of this process's.
   */
  readonly #gather = (): void => {
    if (this.waiting > this.#seen && this.waiting < this.#itemsMax && this.#turns < gatherTurnsMax) {
      this.#seen = this.waiting
      this.#turns++
      setImmediate(this.#gather)
    } else {
      this.#isGathering = false
      this.#start()
    }
  }

  #start(): void {
    while (this.#batches.size < this.#concurrencyMax && this.waiting > 0) {
      const batch = this.#nextBatch()
      this.#batches.add(batch)
      void this.#settle(batch).finally(() => {
        this.#batches.delete(batch)
        this.#schedule()
      })
    }
  }

  #nextBatch(): Entry<Item, Result>[] {
    const queue = this.#queue
    let end = this.#head
    let bytes = 0
    while (end < queue.length && end - this.#head < this.#itemsMax) {
      bytes += queue[end]!.bytes
      if (bytes > this.#bytesMax && end > this.#head) break
      end++
    }
    const batch = queue.slice(this.#head, end)
    this.#head = end
    if (end === queue.length || end > 1_024) {
      this.#queue = queue.slice(end)
      this.#head = 0
    }
    return batch
  }

  /** Runs the batch and makes sure that every entry settles; never rejects. */
  async #settle(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      void dispatch(batch, await this.#runOnce(batch))
    } catch (error) {
      if (batch.length === 1 || isServerFault(error)) {
        for (const entry of batch) entry.reject(error)
        return
      }
      const middle = batch.length >> 1
      await this.#settle(batch.slice(0, middle))
      await this.#settle(batch.slice(middle))
    }
  }

  async #runOnce(batch: Entry<Item, Result>[]): Promise<Result[]> {
    const startedMs = performance.now()
    let failed = true
    try {
      const results = await this.#run(batch.map((entry) => entry.item))
      if (results.length !== batch.length) throw new Error('a batch answered with another number of results')
      failed = false
      return results
    } finally {
      const bytes = batch.reduce((sum, entry) => sum + entry.bytes, 0)
      this.#onBatch?.({ items: batch.length, bytes, durationMs: performance.now() - startedMs, failed })
    }
  }

  /** Counts sweeps instead of reading a clock, so that a pause of this process does not expire items. */
  readonly #sweep = (): void => {
    this.#sweeps++
    // Rejecting a second time does nothing.
    for (const batch of this.#waitsOut ? [] : this.#batches)
      for (let at = 0; this.#isLate(batch[at]); at++) batch[at]!.reject(late())
    while (this.#isLate(this.#queue[this.#head])) this.#queue[this.#head++]!.reject(late())
    this.#isSweeping = false
    this.#schedule()
    this.#sweepSoon()
  }

  #sweepSoon(): void {
    if (this.#isSweeping || (this.#batches.size === 0 && this.waiting === 0)) return
    this.#isSweeping = true
    setTimeout(this.#sweep, sweepMs).unref()
  }

  #isLate(entry: Entry<Item, Result> | undefined): boolean {
    return entry !== undefined && this.#sweeps - entry.sweep > this.#sweepsMax
  }
}

async function dispatch<Item, Result>(batch: Entry<Item, Result>[], results: Result[]): Promise<void> {
  for (const [index, entry] of batch.entries()) {
    if (index > 0 && index % resultsPerTurn === 0) await nextTurn()
    entry.resolve(results[index]!)
  }
}

/**
 * Gathers single calls into batches (group commit): while batches are under way, calls wait for the next one. There is
 * no timer: a lone call starts at the end of the current turn of the event loop, and under load batches grow by
 * themselves to what arrives during one commit. A full batch starts immediately.
 *
 * A batch that fails for its data is halved until the items at fault fail alone. One that fails because the database is
 * unavailable fails whole, and its callers cannot know what was committed. Nor can the caller of an item that has no
 * result in time: its batch continues, and sending the item again finds out.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  return new GroupBatcher(options)
}
