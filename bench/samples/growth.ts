/**
 * The cost of a delivery after a thousand, a hundred thousand and a million others of its source: accepting it (64
 * concurrent, without HTTP), parsing it into samples, and reading the samples, a trace and the developer page's list.
 *
 *   node bench/samples/growth.ts [sizes…]
 */
import { randomUUID } from 'node:crypto'
import { createFieldNames } from '../../src/engine/deliveries/intake/field-names.ts'
import { createLargeBodies } from '../../src/engine/deliveries/intake/large-bodies.ts'
import { readDelivery } from '../../src/engine/deliveries/intake/read-delivery.ts'
import { accept } from '../../src/engine/deliveries/store/accept.ts'
import { createStore } from '../../src/engine/deliveries/store/store.ts'
import { createParseWorker } from '../../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../src/engine/parsing/worker/worker-pool.ts'
import { cellId } from '../../src/engine/parsing/project/cell-id.ts'
import { everyDelivery } from '../../src/console/deliveries/search/delivery-filter.ts'
import { listDeliveries } from '../../src/console/deliveries/search/list-deliveries.ts'
import { renderSamples } from '../../src/engine/samples/queries.ts'
import { answerBytesMax } from '../../src/engine/samples/read-samples.ts'
import { traceSample } from '../../src/engine/samples/trace-sample.ts'
import { print, printTarget } from '../figures.ts'
import { fillParsed, openShop, startDeployment } from './deployment.ts'
import type { AcceptContext } from '../../src/engine/deliveries/store/accept.ts'
import { firstShard } from '../../src/platform/database/schemas.ts'

const given = process.argv.slice(2).map(Number)
const sizes = given.length > 0 ? given : [1_000, 100_000, 1_000_000]
const deliveries = 10_000

await using deployment = await startDeployment()
const { pool, context, url } = deployment
const workerPool = createWorkerPool(url, () => {})
const worker = createParseWorker({
  pool: workerPool,
  shard: firstShard,
  clock: context.clock,
  log: context.log,
})
const shop = await openShop(context)
const { companyId, sourceId } = shop

const intake = { fieldNames: createFieldNames(pool), largeBodies: createLargeBodies() }
const acceptContext: AcceptContext = {
  pool,
  shard: firstShard,
  clock: context.clock,
  intake,
  store: createStore(context),
  findPlace: async () => acceptContext,
}
const target = {
  channel: 'push' as const,
  companyId,
  sourceId,
  sandbox: false,
  connectionId: randomUUID(),
  delivers: 'events' as const,
}

/** Accepts deliveries of one row, as after admission. Their keys have no order. */
const acceptAll = async (): Promise<void> => {
  let left = deliveries
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const day = String(1 + (left % 28)).padStart(2, '0')
      const payload = [{ at: `2025-07-${day}T12:00:00Z`, amount: '1.5', country: 'SE' }]
      const body = Buffer.from(JSON.stringify({ idempotency_key: randomUUID(), shape_version: 1, payload }))
      const delivery = await readDelivery(intake, body, { companyId, sourceId, shapeVersion: 1 })
      await accept(acceptContext, () => delivery, target)
    }
  }
  await Promise.all(Array.from({ length: 64 }, client))
}

const microseconds = (durationMs: number): string => `${((durationMs / deliveries) * 1_000).toFixed(0)} µs`

const each = async (work: () => Promise<unknown>): Promise<string> => {
  const times = 50
  const startedMs = performance.now()
  for (let time = 0; time < times; time++) await work()
  return `${((performance.now() - startedMs) / times).toFixed(2)} ms`
}

let stored = 0
let firstUs = 0
for (const size of sizes) {
  await fillParsed(pool, shop, size - stored, 365)
  stored = size
  await pool.query('analyze')
  const startedMs = performance.now()
  await acceptAll()
  const acceptedMs = performance.now()
  await worker.drain()
  const parsedMs = performance.now()
  stored += deliveries
  const eachUs = ((parsedMs - startedMs) / deliveries) * 1_000
  firstUs ||= eachUs
  const limit = { atMost: Math.ceil(firstUs * 1.2) }
  printTarget(
    `accepting and parsing a delivery after ${size} of its source`,
    Math.round(eachUs),
    limit,
    ' µs',
  )
  const samples = await each(() =>
    renderSamples.first(pool, {
      companyId,
      sourceId,
      projectionId: 1,
      sandbox: false,
      from: '2025-06-01',
      to: '2026-06-01',
      metric: null,
      labels: null,
      samplesMax: 5_000,
      bytesMax: answerBytesMax,
    }),
  )
  const trace = await each(() =>
    traceSample(context.pool, {
      companyId,
      sourceId,
      projectionId: 1,
      sandbox: false,
      metric: 'revenue',
      periodStart: '2025-07-01',
      labels: new Map([['country', 'SE']]),
    }),
  )
  const list = await each(() => listDeliveries(context, companyId, { ...everyDelivery, sourceId }))
  print(
    `${size} before: accepted in ${microseconds(acceptedMs - startedMs)} per delivery, parsed into samples in ` +
      `${microseconds(parsedMs - acceptedMs)}; a year's samples rendered in ${samples}, a trace in ${trace}, a list in ${list}`,
  )
}

// The inserted rows must be in the cells that the worker writes to, or the measurement is void.
const labels = '{"country":"SE"}'
const cell = {
  sourceId,
  projectionId: 1,
  metric: 'revenue',
  periodStart: '2025-07-01',
  labels,
  sandbox: false,
}
const { rows } = await pool.query(
  'select count(*)::int as contributions from contributions where cell_id = $1',
  [cellId(cell)],
)
const { rows: cells } = await pool.query('select count(*)::int as cells from samples where source_id = $1', [
  sourceId,
])
print(`${cells[0].cells} samples; ${rows[0].contributions} deliveries behind one of them`)
await intake.largeBodies.close()
await workerPool.end()
