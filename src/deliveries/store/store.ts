import type { Pool } from 'pg'
import type { Clock } from '../../clock/clock.ts'
import { createBatcher, type Batcher, type BatcherOptions } from '../../database/batcher.ts'
import { smallDeliveryBytesMax } from '../../backlog/lanes.ts'
import { wakeWorker } from '../../backlog/wake.ts'
import {
  findPushes,
  storePushes,
  type FindDeliveries,
  type NewDelivery,
  type StoredDelivery,
  type StoreDeliveries,
} from './queries.ts'
import { findWebhooks, storeWebhooks } from '../webhooks/queries.ts'

export type StoreOutcome =
  /** Committed, and in the backlog. */
  | { outcome: 'stored' }
  /** The key has a delivery already; whether it is the same one is for the caller to find out. */
  | { outcome: 'known'; stored: StoredDelivery }
  /** The key is another body's. */
  | { outcome: 'reused' }
  /** The key is new and the source is paused. */
  | { outcome: 'paused' }
  /** The source was paused and resumed around every try; nothing was stored, and sending it again is right. */
  | { outcome: 'unsettled' }

export interface StoreOptions {
  pool: Pool
  clock: Clock
  onBatch?: BatcherOptions<NewDelivery, StoreOutcome>['onBatch']
}

/** Puts one delivery into its place; settles after the commit. */
export type Store = (delivery: NewDelivery) => Promise<StoreOutcome>

/** Contents above go in batches of their own, so that a small one never waits for a large one. */
export const smallBytesMax = 65_536

/** Batches of pushes, and as many of webhooks. A delivery that finds the queue full is 503. */
export const lanes = {
  // Were all that wait in one batch, the database would wait for this process, and this process for the database.
  small: { itemsMax: 128, bytesMax: 1_048_576, concurrencyMax: 2, queueMax: 20_000 },
  large: { itemsMax: 8, bytesMax: 2_097_152, concurrencyMax: 2, queueMax: 256 },
}

/** A batch that lost against another process's is sent again so often. */
const attemptsMax = 5
const lostAgainstAnother = new Set(['40001', '40P01'])

/**
 * Keys under which neither a delivery was stored nor one was found, in a source that is active: it was resumed in
 * between, or somebody stored the body in between. So often they are sent again.
 */
const roundsMax = 3

/** A delivery of a connection comes in by one channel, one without by the other; behind them all is the same. */
interface Channel {
  store: StoreDeliveries
  find: FindDeliveries
}

const channels = {
  pushes: { store: storePushes, find: findPushes },
  webhooks: { store: storeWebhooks, find: findWebhooks },
} satisfies Record<string, Channel>

async function storeAgain(
  store: StoreDeliveries,
  pool: Pool,
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<number> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await store(pool, deliveries, nowMs)
    } catch (error) {
      const code = (error as { code?: unknown }).code
      if (attempts >= attemptsMax || typeof code !== 'string' || !lostAgainstAnother.has(code)) throw error
    }
  }
}

const stored: StoreOutcome = { outcome: 'stored' }

/** Small deliveries wake the worker of small ones, and only a large one another. */
function wakeFor(deliveries: readonly NewDelivery[]): void {
  let smallest = Infinity
  let largest = 0
  for (const { contentBytes } of deliveries) {
    smallest = Math.min(smallest, contentBytes)
    largest = Math.max(largest, contentBytes)
  }
  wakeWorker(smallest)
  if (largest > smallDeliveryBytesMax && smallest <= smallDeliveryBytesMax) wakeWorker(largest)
}

/**
 * The order of [push.order] at its end: stored key, paused, store. Storing comes first, since that settles
 * nearly every call in one statement; only where fewer rows came of it than were sent, the keys are looked up.
 */
async function storeBatch(
  channel: Channel,
  pool: Pool,
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<StoreOutcome[]> {
  const written = await storeAgain(channel.store, pool, deliveries, nowMs)
  if (written > 0) wakeFor(deliveries)
  if (written === deliveries.length) return deliveries.map(() => stored)

  const outcomes: StoreOutcome[] = []
  let open = deliveries.map((delivery, index) => ({ delivery, index }))
  for (let round = 1; open.length > 0; round++) {
    const answers = await channel.find(
      pool,
      open.map(({ delivery }) => delivery),
    )
    const unsettled: typeof open = []
    for (const [position, entry] of open.entries()) {
      const answer = answers[position]!
      if (answer.found === 'stored') {
        const isOwn = answer.stored.artifactId === entry.delivery.artifactId
        outcomes[entry.index] = isOwn ? stored : { outcome: 'known', stored: answer.stored }
      } else if (answer.found !== 'nothing') outcomes[entry.index] = { outcome: answer.found }
      else if (round === roundsMax) outcomes[entry.index] = { outcome: 'unsettled' }
      else unsettled.push(entry)
    }
    open = unsettled
    if (open.length === 0) break
    const writtenNow = await storeAgain(
      channel.store,
      pool,
      open.map(({ delivery }) => delivery),
      nowMs,
    )
    if (writtenNow > 0) wakeFor(open.map(({ delivery }) => delivery))
  }
  return outcomes
}

/**
 * Stores deliveries, all that wait at one channel in one statement. Exactly one delivery is stored under a key, and at the
 * channel of the webhooks of a body, whoever else stores at the same time, here or in another process. When it rejects,
 * nothing is known of the delivery: it may be stored, and sending it again with its key finds out.
 */
export function createStore(options: StoreOptions): Store {
  const { pool, clock, onBatch } = options
  const lane = (channel: Channel, limits: (typeof lanes)['small']): Batcher<NewDelivery, StoreOutcome> =>
    createBatcher({
      ...limits,
      sizeOf: (delivery) => delivery.content.length,
      run: (deliveries) => storeBatch(channel, pool, deliveries, clock.now()),
      ...(onBatch === undefined ? {} : { onBatch }),
    })
  const enter = (channel: Channel): Store => {
    const small = lane(channel, lanes.small)
    const large = lane(channel, lanes.large)
    return (delivery) => (delivery.content.length <= smallBytesMax ? small : large).submit(delivery)
  }
  const pushes = enter(channels.pushes)
  const webhooks = enter(channels.webhooks)
  return (delivery) => (delivery.target.connectionId === null ? webhooks : pushes)(delivery)
}
