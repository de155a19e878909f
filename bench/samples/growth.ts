/**
 * What a delivery costs when its source has a thousand, a hundred thousand, a million before it: accepting it (64 at a
 * time, without HTTP), reading it into samples, and reading the samples, a trace and the developer page's list.
 *
 *   node bench/samples/growth.ts [sizes…]
 */
import { randomUUID } from 'node:crypto'
import { createIntake, readDelivery } from '../../src/deliveries/intake/read-delivery.ts'
import { accept } from '../../src/deliveries/store/accept.ts'
import { createStore } from '../../src/deliveries/store/store.ts'
import { createParseWorker } from '../../src/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../src/parsing/worker/worker-pool.ts'
import { cellId } from '../../src/parsing/project/cell-id.ts'
import { everyDelivery } from '../../src/delivery-log/delivery-filter.ts'
import { listDeliveries } from '../../src/delivery-log/list-deliveries.ts'
import { renderSamples } from '../../src/samples/queries.ts'
import { answerBytesMax } from '../../src/samples/read-samples.ts'
import { traceSample } from '../../src/samples/trace-sample.ts'
import { sayInShort } from '../in-short.ts'
import { fillRead, openShop, startDeployment } from './deployment.ts'

const given = process.argv.slice(2).map(Number)
const sizes = given.length > 0 ? given : [1_000, 100_000, 1_000_000]
const deliveries = 10_000
const print = (line: string): unknown => process.stdout.write(`${line}\n`)

await using deployment = await startDeployment()
const { pool, context, url } = deployment
const workerPool = createWorkerPool(url, () => {})
const worker = createParseWorker({ pool: workerPool, clock: context.clock, log: context.log })
const shop = await openShop(context)
const { companyId, sourceId } = shop

const intake = createIntake(pool)
const acceptContext = { pool, clock: context.clock, intake, store: createStore(context) }
const target = {
  channel: 'push' as const,
  companyId,
  sourceId,
  sandbox: false,
  connectionId: randomUUID(),
  delivers: 'events' as const,
}

/** Deliveries of one row, accepted as a push is once it is admitted. Keys come in no order. */
const acceptAll = async (): Promise<void> => {
  let left = deliveries
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const day = String(1 + (left % 28)).padStart(2, '0')
      const payload = [{ at: `2025-07-${day}T12:00:00Z`, amount: '1.5', country: 'SE' }]
      const body = Buffer.from(JSON.stringify({ idempotency_key: randomUUID(), shape_version: 1, payload }))
      const delivery = await readDelivery(intake, body, { companyId, sourceId, shapeVersion: 1 })
      await accept(acceptContext, delivery, target)
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
  await fillRead(pool, shop, size - stored, 365)
  stored = size
  await pool.query('analyze')
  const startedMs = performance.now()
  await acceptAll()
  const acceptedMs = performance.now()
  await worker.drain()
  const readMs = performance.now()
  stored += deliveries
  const eachUs = ((readMs - startedMs) / deliveries) * 1_000
  firstUs ||= eachUs
  const wanted = { atMost: Math.ceil(firstUs * 1.2) }
  sayInShort(
    `accepting and reading a delivery after ${size} of its source`,
    Math.round(eachUs),
    wanted,
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
    traceSample(context, {
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
    `${size} before: accepted in ${microseconds(acceptedMs - startedMs)} a delivery, read into samples in ` +
      `${microseconds(readMs - acceptedMs)}; a year's samples rendered in ${samples}, a trace in ${trace}, a list in ${list}`,
  )
}

// What was filled in must be what the worker would have written, or nothing was measured.
const labels = '{"country":"SE"}'
const cell = {
  sourceId,
  projectionId: 1,
  metric: 'revenue',
  periodStart: '2025-07-01',
  labels,
  sandbox: false,
}
const { rows } = await pool.query('select count(*)::int as said from contributions where cell_id = $1', [
  cellId(cell),
])
const { rows: cells } = await pool.query('select count(*)::int as cells from samples where source_id = $1', [
  sourceId,
])
print(`${cells[0].cells} samples; ${rows[0].said} deliveries behind one of them`)
await intake.largeBodies.close()
await workerPool.end()
