import { randomUUID } from 'node:crypto'
import { createFieldNames } from '../../src/engine/deliveries/intake/field-names.ts'
import { createLargeBodies } from '../../src/engine/deliveries/intake/large-bodies.ts'
import { readDelivery } from '../../src/engine/deliveries/intake/read-delivery.ts'
import { accept, type AcceptContext } from '../../src/engine/deliveries/store/accept.ts'
import { createStore } from '../../src/engine/deliveries/store/store.ts'
import { createParseWorker } from '../../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../src/engine/parsing/worker/worker-pool.ts'
import { everyDelivery, type DeliveryFilter } from '../../src/console/deliveries/search/delivery-filter.ts'
import { listDeliveries } from '../../src/console/deliveries/search/list-deliveries.ts'
import { toShardSchema } from '../../src/platform/database/schemas.ts'
import { renderSamples } from '../../src/engine/samples/queries.ts'
import { answerBytesMax } from '../../src/engine/samples/read-samples.ts'
import { traceSample } from '../../src/engine/samples/trace-sample.ts'
import type { TestContext } from '../../testing/in-process/test-context.ts'
import { fillParsed, openShop } from './deployment.ts'

export const cellDay = '2025-07-01'
const clients = 64

/** A shard whose only company has one source, and what is done with it. */
export interface OneSource extends AsyncDisposable {
  companyId: string
  sourceId: string
  /** Adds parsed deliveries until it has this many. */
  fillTo(deliveries: number): Promise<void>
  /** Accepts as many deliveries of one row, as after admission. Their keys have no order. */
  acceptAll(deliveries: number): Promise<void>
  /** Parses all that waits. */
  drain(): Promise<void>
  reading: Record<string, () => Promise<unknown>>
}

export async function openOneSource(context: TestContext, url: string): Promise<OneSource> {
  const { pool, clock, log } = context
  const workerPool = createWorkerPool(url, () => {}, { schema: toShardSchema(context.shard) })
  const worker = createParseWorker({ pool: workerPool, shard: context.shard, clock, log })
  const shop = await openShop(context)
  const { companyId, sourceId } = shop
  const intake = { fieldNames: createFieldNames(pool), largeBodies: createLargeBodies() }
  const store = createStore(context)
  const acceptContext: AcceptContext = {
    pool,
    shard: context.shard,
    clock,
    intake,
    store,
    findPlace: async () => acceptContext,
  }
  const ofSource = { companyId, sourceId, sandbox: false }
  const target = {
    ...ofSource,
    channel: 'push' as const,
    connectionId: randomUUID(),
    delivers: 'events' as const,
  }
  const acceptOne = async (idempotencyKey: string, day: number): Promise<void> => {
    const at = `2025-07-${String(day).padStart(2, '0')}T12:00:00Z`
    const payload = [{ at, amount: '1.5', country: 'SE' }]
    const body = Buffer.from(JSON.stringify({ idempotency_key: idempotencyKey, shape_version: 1, payload }))
    const delivery = await readDelivery(intake, body, { companyId, sourceId, shapeVersion: 1 })
    await accept(acceptContext, () => delivery, target)
  }
  const list = (filter: Partial<DeliveryFilter>): Promise<unknown> =>
    listDeliveries(context, companyId, { ...everyDelivery, sourceId, ...filter })
  const key = randomUUID()
  await acceptOne(key, 1)
  await worker.drain()
  let filled = 0
  return {
    companyId,
    sourceId,
    fillTo: async (deliveries) => {
      await fillParsed(pool, shop, deliveries - filled, 365, filled)
      filled = deliveries
    },
    acceptAll: async (deliveries) => {
      let left = deliveries
      const client = async (): Promise<void> => {
        while (left-- > 0) await acceptOne(randomUUID(), 1 + (left % 28))
      }
      await Promise.all(Array.from({ length: clients }, client))
    },
    drain: () => worker.drain(),
    reading: {
      'rendering the samples of a year': () =>
        renderSamples.first(pool, {
          ...ofSource,
          projectionId: 1,
          from: '2025-06-01',
          to: '2026-06-01',
          metric: null,
          labels: null,
          startCell: null,
          samplesMax: 5_000,
          bytesMax: answerBytesMax,
        }),
      'tracing a sample': () =>
        traceSample(pool, {
          ...ofSource,
          projectionId: 1,
          metric: 'revenue',
          periodStart: cellDay,
          labels: new Map([['country', 'SE']]),
        }),
      'listing deliveries': () => list({}),
      'listing those with refused rows': () => list({ state: 'refused' }),
      'listing those of an hour': () =>
        list({ fromMs: Date.parse('2026-01-01T12:00:00Z'), toMs: Date.parse('2026-01-01T13:00:00Z') }),
      'searching a key': () => list({ search: key }),
    },
    [Symbol.asyncDispose]: async () => {
      await intake.largeBodies.close()
      await workerPool.end()
    },
  }
}
