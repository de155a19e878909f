/**
 * What a delivery costs when its source has a thousand, a hundred thousand, a million before it: reading it into samples,
 * and reading the samples, a trace and the developer page's list.
 *
 *   node bench/samples/growth.ts [sizes…]
 */
import { createReader } from '../../src/reading/reader.ts'
import { createReaderPool } from '../../src/reading/reader-pool.ts'
import { cellId } from '../../src/reading/cell-id.ts'
import { listDeliveries } from '../../src/samples/list-deliveries.ts'
import { renderSamples } from '../../src/samples/queries.ts'
import { traceSample } from '../../src/samples/trace-sample.ts'
import { fillRead, openShop, startDeployment } from './deployment.ts'

const given = process.argv.slice(2).map(Number)
const sizes = given.length > 0 ? given : [1_000, 100_000, 1_000_000]
const deliveries = 10_000
const print = (line: string): unknown => process.stdout.write(`${line}\n`)

await using deployment = await startDeployment()
const { pool, context, url } = deployment
const readerPool = createReaderPool(url, () => {})
const reader = createReader({ pool: readerPool, clock: context.clock, log: context.log })
const shop = await openShop(context)
const { companyId, sourceId } = shop

/** Deliveries of one row, stored and queued. */
const queue = async (): Promise<unknown> =>
  pool.query(
    `with made as materialized (
      select gen_random_uuid() as artifact_id, nextval('receive_numbers') as receive_number,
        convert_to(format('[{"at":"%s","amount":"1.5","country":"SE"}]', date '2025-06-01' + n % 365), 'utf8') as content
      from generate_series(1, $3::int) as n
    ), stored as (
      insert into deliveries (company_id, artifact_id, source_id, sandbox, idempotency_key, receive_number, received_at,
        shape_version, delivers, dropped_keys, form, received_sha256, content, content_encoding, content_bytes)
      select $1::uuid, artifact_id, $2::uuid, false, artifact_id::text, receive_number, now(), 1, 'events', '{}', 'json',
        sha256(content), content, 'identity', length(content)
      from made
    )
    insert into backlog (receive_number, fold_id, company_id, source_id, artifact_id, content_bytes, queued_at)
    select receive_number, 0, $1::uuid, $2::uuid, artifact_id, length(content), now() from made`,
    [companyId, sourceId, deliveries],
  )

const each = async (work: () => Promise<unknown>): Promise<string> => {
  const times = 50
  const startedMs = performance.now()
  for (let time = 0; time < times; time++) await work()
  return `${((performance.now() - startedMs) / times).toFixed(2)} ms`
}

let stored = 0
for (const size of sizes) {
  await fillRead(pool, shop, size - stored, 365)
  stored = size
  await pool.query('analyze')
  await queue()
  const startedMs = performance.now()
  await reader.drain()
  const tookMs = performance.now() - startedMs
  stored += deliveries
  const samples = await each(() =>
    renderSamples.first(pool, [companyId, sourceId, 1, false, '2025-06-01', '2026-06-01', null, null, 5_000]),
  )
  const trace = await each(() =>
    traceSample(context, {
      companyId,
      sourceId,
      foldId: 1,
      sandbox: false,
      metric: 'revenue',
      periodStart: '2025-07-01',
      labels: new Map([['country', 'SE']]),
    }),
  )
  const list = await each(() => listDeliveries(context, companyId, sourceId, false))
  print(
    `${size} before: ${((tookMs / deliveries) * 1_000).toFixed(0)} µs a delivery (${((deliveries / tookMs) * 1_000).toFixed(0)}/s); ` +
      `a year's samples rendered in ${samples}, a trace in ${trace}, a list in ${list}`,
  )
}

// What was filled in must be what the reader would have written, or nothing was measured.
const labels = '{"country":"SE"}'
const cell = { sourceId, foldId: 1, metric: 'revenue', periodStart: '2025-07-01', labels, sandbox: false }
const { rows } = await pool.query('select count(*)::int as said from contributions where cell_id = $1', [
  cellId(cell),
])
const { rows: cells } = await pool.query('select count(*)::int as cells from samples where source_id = $1', [
  sourceId,
])
print(`${cells[0].cells} samples; ${rows[0].said} deliveries behind one of them`)
await readerPool.end()
