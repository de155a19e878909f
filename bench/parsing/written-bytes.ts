/**
 * The disk space of deliveries with all indexes, per byte sent, compared with their allowance (`writeAllowance`): the worst
 * cases of each format, and ordinary ones. Each case writes 1 MiB of deliveries into empty tables, so that the first pages
 * of tables and indexes hardly count. All tables are measured before and after.
 *
 *   node bench/parsing/written-bytes.ts [bytes of a delivery]
 */
import { createTestContext } from '../../testing/in-process/test-context.ts'
import type { Delivers, Field, Metric } from '../../src/engine/declarations/declaration.ts'
import { createParseWorker } from '../../src/engine/parsing/worker/parse-worker.ts'
import { createWorkerPool } from '../../src/engine/parsing/worker/worker-pool.ts'
import {
  writeAllowance,
  writtenBytesAlways,
  writtenBytesPerContentByteMax,
} from '../../src/engine/parsing/plan/write-allowance.ts'
import { createTestSource } from '../../testing/in-process/source.ts'
import { storeDelivery } from '../../testing/in-process/store-delivery.ts'
import { printTarget } from '../figures.ts'
import { startDeployment } from '../samples/deployment.ts'
import { field, metric } from './declared.ts'
import { firstShard } from '../../src/platform/database/schemas.ts'

const mebibyte = 1024 * 1024
const [deliveryBytes = mebibyte] = process.argv.slice(2).map(Number)
const deliveries = Math.max(1, Math.ceil(mebibyte / deliveryBytes))

function both(parts: Partial<Metric>): Metric[] {
  return [metric(parts), metric({ ...parts, metric: 'active_users' })]
}
const names = Array.from({ length: 20 }, (_, k) => `label ${k}`)
function day(k: number): string {
  return new Date(k * 86_400_000).toISOString().slice(0, 10)
}
function month(k: number): string {
  return day(20_454 + (k % 31))
}
/** Short texts in random order. */
function short(k: number): string {
  return ((k * 7_919) % 1_000_003).toString(36)
}

interface Shape {
  name: string
  format: 'json' | 'csv' | 'sie'
  fields: Field[]
  metrics: Metric[]
  delivers?: Delivers
  head: string
  row: (k: number) => string
  tail?: string
}

const c = [field('a', 'timestamp'), field('c')]
const sieFields = ['date', 'text', 'number', 'series', 'amount'].map((name) =>
  field(name, name === 'date' ? 'timestamp' : name === 'amount' ? 'number' : 'text'),
)
function sie(text: string) {
  return {
    format: 'sie' as const,
    fields: sieFields,
    head: `#FLAGGA 0\n#SIETYP 4\n#VER "${text}" "${text}" 20260105 "${text}"\n{\n`,
    row: (k: number) => `#TRANS 1 {} ${k}\n`,
    tail: '}\n',
  }
}
function csv(columns: string, row: (k: number) => string) {
  return {
    format: 'csv' as const,
    head: `${columns}\n`,
    row: (k: number) => `${row(k)}\n`,
  }
}

const shapes: Shape[] = [
  {
    name: 'sie: inherited texts of 200 characters as labels',
    metrics: both({ group_by: ['text', 'number', 'series', 'amount'] }),
    ...sie('x'.repeat(200)),
  },
  {
    name: 'sie: inherited texts of 10,000 characters',
    metrics: both({ group_by: ['text', 'number', 'series', 'amount'] }),
    ...sie('x'.repeat(3_000)),
  },
  {
    name: 'json: a cell in each row',
    format: 'json',
    fields: c,
    metrics: both({ group_by: ['c'] }),
    head: '[{"a":"2026-01-05"}',
    row: (k) => `,{"a":"2026-01-05","c":"${short(k)}"}`,
    tail: ']',
  },
  {
    name: 'csv: a cell in each row',
    fields: c,
    metrics: both({ group_by: ['c'] }),
    ...csv('a,c', (k) => `2026-01-05,${short(k)}`),
  },
  {
    name: 'csv: a cell in each row, statements',
    fields: c,
    metrics: both({ group_by: ['c'] }),
    delivers: 'statements',
    ...csv('a,c', (k) => `2026-01-05,${short(k)}`),
  },
  {
    name: 'csv: a day in each row, statements',
    fields: c,
    metrics: both({}),
    delivers: 'statements',
    ...csv('a', (k) => day(k)),
  },
  { name: 'csv: a day in each row, events', fields: c, metrics: both({}), ...csv('a', (k) => day(k)) },
  {
    name: 'csv: distinct values of few characters',
    fields: c,
    metrics: both({ aggregation: 'count_distinct', field: 'c' }),
    ...csv('a,c', (k) => `2026-01-05,${short(k)}`),
  },
  {
    name: 'csv: each row a cell with its own distinct value',
    fields: c,
    metrics: both({ aggregation: 'count_distinct', field: 'c', group_by: ['c'] }),
    ...csv('a,c', (k) => `2026-01-05,${short(k)}`),
  },
  {
    name: 'csv: twenty labels, most of them empty',
    fields: [field('a', 'timestamp'), ...names.map((name) => field(name))],
    metrics: both({ group_by: names }),
    ...csv(`a,${names.join(',')}`, (k) => `2026-01-05,${short(k)}${','.repeat(19)}`),
  },
  {
    name: 'csv: last, with decimals of a second',
    fields: [...c, field('n', 'number')],
    metrics: both({ aggregation: 'last', field: 'n', group_by: ['c'] }),
    ...csv('a,c,n', (k) => `2026-01-05T10:00:00.123456789Z,${short(k)},12345678.12345`),
  },
  {
    name: 'ordinary: orders by day and country, one customer counted',
    fields: [field('order'), ...c, field('customer'), field('n', 'number')],
    metrics: [
      metric({ aggregation: 'sum', field: 'n', group_by: ['c'] }),
      metric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer', period: 'month' }),
    ],
    ...csv(
      'order,a,c,customer,n',
      (k) => `2026-${k},${month(k)},${['SE', 'NO', 'DK'][k % 3]},kund-${k % 5_000}@example.se,${k}.50`,
    ),
  },
  {
    name: 'ordinary: a statement of figures by day and region',
    fields: [...c, field('n', 'number'), field('u', 'number')],
    metrics: [
      metric({ aggregation: 'sum', field: 'n', group_by: ['c'] }),
      metric({ metric: 'active_users', aggregation: 'sum', field: 'u', group_by: ['c'] }),
    ],
    delivers: 'statements',
    ...csv(
      'a,c,n,u',
      (k) => `${day(10_000 + Math.floor(k / 20))},region ${k % 20},${1000 + k}.50,${k % 977}`,
    ),
  },
]

/** @returns a delivery with rows from the number `first`, and the number after its last one */
function write({ head, row, tail = '' }: Shape, first: number): { content: Buffer; next: number } {
  const parts = [head]
  let bytes = head.length + tail.length
  for (let next = first; ; next++) {
    const text = row(next)
    bytes += text.length
    if (bytes > deliveryBytes) return { content: Buffer.from(parts.join('') + tail), next }
    parts.push(text)
  }
}

await using deployment = await startDeployment()
const { pool, url } = deployment
const { clock, log } = createTestContext(pool)
const workerPool = createWorkerPool(url, () => {})

const tables = [
  'samples',
  'contributions',
  'distinct_values',
  'period_owners',
  'period_deliveries',
  'parse_results',
]
async function size(): Promise<number> {
  const { rows } = await pool.query(
    'select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest($1::text[]) as name',
    [tables],
  )
  return rows[0].bytes
}

let highest = 0
for (const shape of shapes) {
  await pool.query(`truncate ${tables.join(', ')}, backlog`)
  const { fields, metrics, delivers = 'events' } = shape
  const source = await createTestSource(pool, { fields, metrics, delivers })
  await pool.query('update shapes set event_time = $2 where source_id = $1', [
    source.sourceId,
    fields.find(({ type }) => type === 'timestamp')!.name,
  ])
  const before = await size()
  let sent = 0
  let allowed = 0
  let first = 1
  for (let delivery = 0; delivery < deliveries; delivery++) {
    const { content, next } = write(shape, first)
    await storeDelivery(pool, source, content, { format: shape.format })
    sent += content.length
    allowed += writeAllowance(content.length)
    first = next
  }
  const startedMs = performance.now()
  await createParseWorker({ pool: workerPool, shard: firstShard, clock, log }).drain()
  const seconds = (performance.now() - startedMs) / 1_000
  const grown = (await size()) - before
  const { rows } = await pool.query<{ state: string; accepted: number; refused: number }>(
    `select state, sum(rows_accepted)::int as accepted, sum(rows_refused)::int as refused
     from parse_results group by state`,
  )
  const results = rows.map(({ state, accepted, refused }) => `${state}, ${accepted} rows, ${refused} refused`)
  const share = grown / allowed
  highest = Math.max(highest, share)
  process.stdout.write(
    `${shape.name.padEnd(58)} ${(grown / sent).toFixed(1).padStart(5)} × ${sent} bytes, ` +
      `${share.toFixed(2)} of the allowance, ${seconds.toFixed(1)} s; ${results.join('; ')}\n`,
  )
}
printTarget(
  `bytes written to disk by deliveries of ${deliveryBytes} bytes, the worst shape : their allowance`,
  highest,
  // The allowance assumes full pages; those of an index that many deliveries add to are emptier.
  { atMost: 1.1 },
)
process.stdout.write(
  `${deliveries} of ${deliveryBytes} bytes; each may write ${writtenBytesAlways} bytes, and ` +
    `${writtenBytesPerContentByteMax} for each of its own: ${(writeAllowance(deliveryBytes) / deliveryBytes).toFixed(1)} ×\n`,
)
await workerPool.end()
