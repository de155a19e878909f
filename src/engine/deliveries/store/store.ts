import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import { createBatcher, type Batcher, type BatcherOptions } from '../../../platform/database/batcher.ts'
import { smallDeliveryBytesMax } from '../../backlog/queues.ts'
import { wakeWorker } from '../../backlog/wake.ts'
import type { Channel, NewDelivery, StoredDelivery } from './delivery.ts'
import { hasMoved, raiseReceiveNumbers } from './receive-numbers.ts'
import { findPushes, storePushes } from './push-queries.ts'
import type { StorePlace } from './queries.ts'
import { findWebhooks, storeWebhooks } from './webhook-queries.ts'

type StoreOutcome =
  /** Committed, and in the backlog. */
  | { outcome: 'stored' }
  /** The key has a delivery already; the caller finds out whether it is the same one. */
  | { outcome: 'known'; stored: StoredDelivery }
  /** The key is another body's. */
  | { outcome: 'reused' }
  /** The key is new and the source is paused. */
  | { outcome: 'paused' }
  /** The company is in another shard, or moves to one right now: nothing was stored here. */
  | { outcome: 'elsewhere' }
  /** The source was paused and resumed around every try: nothing was stored, and the delivery may be sent again. */
  | { outcome: 'unsettled' }

export interface StoreOptions {
  pool: Pool
  /** The shard of the pool. */
  shard: number
  clock: Clock
  onBatch?: BatcherOptions<NewDelivery, StoreOutcome>['onBatch']
}

/** Stores one delivery; settles after the commit. */
export type Store = (delivery: NewDelivery) => Promise<StoreOutcome>

/**
 * Batches of pushes, and likewise of webhooks. Large contents go in batches of their own, so that a small one never
 * waits for a large one. A delivery that finds the queue full is 503.
 */
const batchLimits = {
  // With everything that waits in one batch, the database and this process would take turns waiting for each other.
  small: { itemsMax: 128, bytesMax: 1_048_576, concurrencyMax: 2, queueMax: 20_000 },
  large: { itemsMax: 8, bytesMax: 2_097_152, concurrencyMax: 2, queueMax: 256 },
}

/**
 * Tries to store a delivery that was not stored although its source is active and its key is free: the source was
 * resumed in between, or another process was storing the body.
 */
const roundsMax = 3

const statements = {
  push: { store: storePushes, find: findPushes },
  webhook: { store: storeWebhooks, find: findWebhooks },
}

const stored: StoreOutcome = { outcome: 'stored' }

/** Small deliveries wake the worker of small ones; only a large one wakes another. */
function wakeFor(deliveries: readonly NewDelivery[], shard: number): void {
  let smallest = Infinity
  let largest = 0
  for (const { contentBytes } of deliveries) {
    smallest = Math.min(smallest, contentBytes)
    largest = Math.max(largest, contentBytes)
  }
  wakeWorker(smallest, shard)
  if (largest > smallDeliveryBytesMax && smallest <= smallDeliveryBytesMax) wakeWorker(largest, shard)
}

/** Stores and wakes workers. Returns the number of deliveries stored. */
async function storeAndWake(
  channel: Channel,
  place: StorePlace,
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<number> {
  const written = await statements[channel].store(place, deliveries, nowMs)
  if (written > 0) wakeFor(deliveries, place.shard)
  return written
}

/**
 * The end of the order of [push.order]: stored key, paused, store. Storing is tried first, since that settles nearly
 * every call in one transaction; only if fewer rows were written than sent are the keys looked up.
 */
async function storeBatch(
  channel: Channel,
  place: StorePlace,
  deliveries: readonly NewDelivery[],
  nowMs: number,
): Promise<StoreOutcome[]> {
  let written = await storeAndWake(channel, place, deliveries, nowMs)
  if (written === 0 && (await hasMoved(place.pool))) {
    await raiseReceiveNumbers(place.pool)
    written = await storeAndWake(channel, place, deliveries, nowMs)
  }
  if (written === deliveries.length) return deliveries.map(() => stored)

  const outcomes: StoreOutcome[] = []
  let open = deliveries.map((delivery, index) => ({ delivery, index }))
  for (let round = 1; open.length > 0; round++) {
    const found = await statements[channel].find(
      place,
      open.map(({ delivery }) => delivery),
    )
    const unsettled: typeof open = []
    for (const [position, entry] of open.entries()) {
      const answer = found[position]!
      if (answer.found === 'elsewhere') {
        const isOwn = answer.artifactId === entry.delivery.artifactId
        outcomes[entry.index] = isOwn ? stored : { outcome: 'elsewhere' }
      } else if (answer.found === 'stored') {
        const isOwn = answer.stored.artifactId === entry.delivery.artifactId
        outcomes[entry.index] = isOwn ? stored : { outcome: 'known', stored: answer.stored }
      } else if (answer.found !== 'nothing') outcomes[entry.index] = { outcome: answer.found }
      else if (round === roundsMax) outcomes[entry.index] = { outcome: 'unsettled' }
      else unsettled.push(entry)
    }
    open = unsettled
    if (open.length === 0) break
    const again = open.map(({ delivery }) => delivery)
    await storeAndWake(channel, place, again, nowMs)
  }
  return outcomes
}

/**
 * Stores deliveries, those that wait in one channel in one transaction. Exactly one delivery is stored under a key, and
 * one webhook of a body, even if other processes store at the same time. If it rejects, it is unknown whether the
 * delivery is stored; sending it again with its key finds out.
 */
export function createStore({ pool, shard, clock, onBatch }: StoreOptions): Store {
  const createSizedBatcher = (
    channel: Channel,
    limits: (typeof batchLimits)['small'],
  ): Batcher<NewDelivery, StoreOutcome> =>
    createBatcher({
      ...limits,
      getSize: (delivery) => delivery.content.length,
      run: (deliveries) => storeBatch(channel, { pool, shard }, deliveries, clock.now()),
      ...(onBatch === undefined ? {} : { onBatch }),
    })
  const createBatchers = (channel: Channel) => ({
    small: createSizedBatcher(channel, batchLimits.small),
    large: createSizedBatcher(channel, batchLimits.large),
  })
  const batchers = { push: createBatchers('push'), webhook: createBatchers('webhook') }
  return (delivery) => {
    const size = delivery.content.length <= smallDeliveryBytesMax ? 'small' : 'large'
    return batchers[delivery.target.channel][size].submit(delivery)
  }
}
