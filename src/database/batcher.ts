import { setImmediate as nextTurn } from 'node:timers/promises'
import { DeadlineError } from './deadline-error.ts'
import { isDatabaseAway } from './is-database-away.ts'
import { OverloadedError } from './overloaded-error.ts'

export interface BatcherOptions<Item, Result> {
  /**
   * Does one batch, all of it or nothing (one statement or one transaction), and answers in the items' order.
   * Up to `concurrencyMax` calls are under way at once, so two equal items can be in two batches.
   */
  run: (items: Item[]) => Promise<Result[]>
  /** A batch holds at most so many items. */
  itemsMax: number
  /** A batch holds at most so many bytes; an item above goes by itself. */
  bytesMax?: number
  /** What an item counts against `bytesMax`. */
  sizeOf?: (item: Item) => number
  /** So many batches are under way at once. Two keep the disk busy while the next one gathers. */
  concurrencyMax?: number
  /** So many items wait at most; one more is turned away with an `OverloadedError`. */
  queueMax?: number
  /** See `itemMsMax`. */
  itemMsMax?: number
  /**
   * A batch under way is waited out, however long `run` takes (which the database's deadlines bound): for items that cannot
   * safely be sent again by whoever does not know what became of them.
   */
  waitsOut?: boolean
  /** Told of every run, retries of parts included. */
  onBatch?: (batch: { items: number; bytes: number; durationMs: number; failed: boolean }) => void
}

export interface Batcher<Item, Result> {
  /**
   * Settles with this item's own result; rejects alone where the item itself is at fault. Rejects with a `DeadlineError`
   * where it has no result in time.
   */
  submit(item: Item): Promise<Result>
  /** How many items wait; those under way are not counted. */
  readonly waiting: number
  /** Takes nothing more, and settles when everything taken has settled. */
  drain(): Promise<void>
}

/**
 * How long an item waits for its result, in milliseconds, from being submitted. Beyond it (at most `sweepMs` later) its
 * caller gets 503, whatever becomes of its batch.
 */
export const itemMsMax = 4_000

/**
 * How often one timer looks for items that waited too long, in milliseconds: an item may wait this much longer. A timer for
 * each would cost more than the rest.
 */
export const sweepMs = 500

/** So many turns of the event loop a batch gathers at most, as long as each brings more. */
const gatherTurnsMax = 8

/**
 * So many results are given out in one turn of the event loop. What callers do with those of a large batch would all be
 * done in one turn, and meanwhile the database would have nothing to do.
 */
const resultsPerTurn = 64

interface Entry<Item, Result> {
  item: Item
  bytes: number
  /** How many sweeps there had been when it was submitted. */
  sweep: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * SQLSTATE classes that no single item can be at fault for: no resources, operator intervention, a fault of the
 * system or inside the server, a transaction that lost too often.
 */
const serverFault = /^(40|53|57|58|F0|XX)/

function late(): DeadlineError {
  return new DeadlineError('no result came of a batch in time')
}

function isServerFault(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return isDatabaseAway(error) || (typeof code === 'string' && code.length === 5 && serverFault.test(code))
}

/**
 * Gathers single calls into batches: while batches are under way, calls wait for the next one. There is no
 * timer: a lone call starts at the end of the present turn of the event loop, and under load the batches grow
 * by themselves to what arrives during one commit. A full batch starts at once.
 *
 * A batch that fails for its data is halved until the items at fault fail alone; one that fails because the
 * database is away or unwell fails whole, and its callers know nothing about what was committed. So does an item that has
 * no result in time: its batch goes on, and sending the item again finds out.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { run, itemsMax, onBatch } = options
  const bytesMax = options.bytesMax ?? Number.POSITIVE_INFINITY
  const sizeOf = options.sizeOf ?? (() => 0)
  const concurrencyMax = options.concurrencyMax ?? 2
  const queueMax = options.queueMax ?? Number.POSITIVE_INFINITY
  const waitsOut = options.waitsOut ?? false
  const sweepsMax = Math.ceil((options.itemMsMax ?? itemMsMax) / sweepMs)

  let queue: Entry<Item, Result>[] = []
  /** Entries of `queue` before this one are taken; cut off now and then, since shifting each costs the length. */
  let head = 0
  let running = 0
  /** Batches that are done and have results to give out still. */
  let givingOut = 0
  let gathering = false
  /** Of the gathering under way: how many items waited at its last turn, and how many turns it has taken. */
  let seen = 0
  let turns = 0
  let closed = false
  let onIdle: (() => void)[] = []
  /** Batches under way, each in the order in which its items came. */
  const batches = new Set<Entry<Item, Result>[]>()
  let sweeps = 0
  let sweeping = false

  const waiting = (): number => queue.length - head

  const takeBatch = (): Entry<Item, Result>[] => {
    let end = head
    let bytes = 0
    while (end < queue.length && end - head < itemsMax) {
      bytes += queue[end]!.bytes
      if (bytes > bytesMax && end > head) break
      end++
    }
    const batch = queue.slice(head, end)
    head = end
    if (head === queue.length || head > 1_024) {
      queue = queue.slice(head)
      head = 0
    }
    return batch
  }

  const isLate = (entry: Entry<Item, Result> | undefined): boolean =>
    entry !== undefined && sweeps - entry.sweep > sweepsMax

  /** Counted in sweeps and not by a clock, so that a pause of this very process is nobody's deadline. */
  const sweep = (): void => {
    sweeps++
    // Rejecting what was rejected before does nothing.
    for (const batch of waitsOut ? [] : batches)
      for (let at = 0; isLate(batch[at]); at++) batch[at]!.reject(late())
    while (isLate(queue[head])) queue[head++]!.reject(late())
    sweeping = false
    schedule()
    sweepSoon()
  }

  const sweepSoon = (): void => {
    if (sweeping || (batches.size === 0 && waiting() === 0)) return
    sweeping = true
    setTimeout(sweep, sweepMs).unref()
  }

  const runOnce = async (batch: Entry<Item, Result>[]): Promise<Result[]> => {
    const startedMs = performance.now()
    let failed = true
    try {
      const results = await run(batch.map((entry) => entry.item))
      if (results.length !== batch.length) throw new Error('a batch answered with another number of results')
      failed = false
      return results
    } finally {
      const bytes = batch.reduce((sum, entry) => sum + entry.bytes, 0)
      onBatch?.({ items: batch.length, bytes, durationMs: performance.now() - startedMs, failed })
    }
  }

  const giveOut = async (batch: Entry<Item, Result>[], results: Result[]): Promise<void> => {
    givingOut++
    for (const [index, entry] of batch.entries()) {
      if (index > 0 && index % resultsPerTurn === 0) await nextTurn()
      entry.resolve(results[index]!)
    }
    givingOut--
    schedule()
  }

  /** Does the batch and sees to it that every entry settles; never rejects. */
  const settle = async (batch: Entry<Item, Result>[]): Promise<void> => {
    try {
      void giveOut(batch, await runOnce(batch))
    } catch (error) {
      if (batch.length === 1 || isServerFault(error)) {
        for (const entry of batch) entry.reject(error)
        return
      }
      const middle = batch.length >> 1
      await settle(batch.slice(0, middle))
      await settle(batch.slice(middle))
    }
  }

  const start = (): void => {
    while (running < concurrencyMax && waiting() > 0) {
      running++
      const batch = takeBatch()
      batches.add(batch)
      void settle(batch).finally(() => {
        running--
        batches.delete(batch)
        schedule()
      })
    }
  }

  const schedule = (): void => {
    if (running === 0 && givingOut === 0 && waiting() === 0) {
      for (const resolve of onIdle) resolve()
      onIdle = []
    }
    if (running >= concurrencyMax || waiting() === 0) return
    if (waiting() >= itemsMax) return start()
    if (gathering) return
    gathering = true
    seen = waiting()
    turns = 0
    setImmediate(gather)
  }

  /**
   * While every turn of the event loop brings more items, waiting a turn longer costs a lone call nothing and makes
   * one statement of several: under load a third of the database's work and a fifth of this process's.
   */
  const gather = (): void => {
    if (waiting() > seen && waiting() < itemsMax && turns < gatherTurnsMax) {
      seen = waiting()
      turns++
      setImmediate(gather)
    } else {
      gathering = false
      start()
    }
  }

  return {
    submit: (item) => {
      if (closed) return Promise.reject(new OverloadedError('shutting down'))
      if (waiting() >= queueMax) return Promise.reject(new OverloadedError('too many calls wait'))
      return new Promise((resolve, reject) => {
        queue.push({ item, bytes: sizeOf(item), sweep: sweeps, resolve, reject })
        schedule()
        sweepSoon()
      })
    },
    get waiting() {
      return waiting()
    },
    drain: () => {
      closed = true
      return new Promise((resolve) => {
        onIdle.push(resolve)
        schedule()
      })
    },
  }
}
