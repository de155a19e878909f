/**
 * Each part that is optimised by hand, compared with its plain counterpart in `plain/`: runs with the part and with only its
 * file replaced take turns. A part for speed must make the run at least 1.2 times as fast.
 *
 *   node bench/parsing/hand-made.ts [rounds]
 *
 * Aggregates documents of 2 MiB of JSON and of CSV; a worker's round writes 6,000 cells. Takes about 20 seconds.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Metric } from '../../src/engine/declarations/declaration.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { createTestSource } from '../../testing/in-process/source.ts'
import { storeDelivery } from '../../testing/in-process/store-delivery.ts'
import { TimeZone } from '../../src/formats/values/time-zone.ts'
import { compilePlan } from '../../src/engine/parsing/plan/compile-plan.ts'
import { median, printTarget, timed } from '../figures.ts'
import { startDeployment } from '../samples/deployment.ts'
import { field, metric } from './declared.ts'
import { random, randomAmount, randomCountry, randomCustomer, randomMoment } from './random-rows.ts'
import { firstShard } from '../../src/platform/database/schemas.ts'

const rounds = Math.max(3, Number(process.argv[2] ?? 5))
const atLeast = 1.2
const documentBytes = 2 * 1024 * 1024
const cellsWritten = 6_000

const replaced: Record<string, string> = {
  'row-key-table': 'src/engine/tables/row-key-table.ts',
  'byte-dictionary': 'src/engine/tables/byte-dictionary.ts',
  'long-lists': 'src/engine/tables/long-lists.ts',
  'binary-array': 'src/platform/database/binary-array.ts',
}
const root = join(import.meta.dirname, '../..')
function toUrl(path: string): string {
  return pathToFileURL(join(root, path)).href
}

// A module with `?plain=name` imports its modules with the same query, except the part of that name, which is replaced.
registerHooks({
  resolve: (specifier, context, next) => {
    const { url, ...rest } = next(specifier, context)
    const name = /[?]plain=([\w-]+)$/.exec(context.parentURL ?? '')?.[1]
    if (name === undefined || !url.startsWith(toUrl('src/')) || url.includes('?')) return { url, ...rest }
    return {
      ...rest,
      url: url === toUrl(replaced[name]!) ? toUrl(`bench/parsing/plain/${name}.ts`) : `${url}?plain=${name}`,
    }
  },
})

/** Loads a module of the service with one part replaced. */
async function load<Module>(path: string, plain?: string): Promise<Module> {
  return import(toUrl(path) + (plain === undefined ? '' : `?plain=${plain}`)) as Promise<Module>
}

const fields = [
  field('at', 'timestamp'),
  field('amount', 'number'),
  field('country', 'text'),
  field('shop', 'text'),
  field('customer', 'text', true),
]
const metrics = [
  metric({ aggregation: 'sum', field: 'amount', group_by: ['country', 'shop'] }),
  metric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer', group_by: ['country'] }),
]
function row(): string[] {
  return [randomMoment(), randomAmount(), randomCountry(), `butik ${random(40)}`, randomCustomer()]
}
const names = fields.map(({ name }) => name)
const rows = Array.from({ length: Math.floor(documentBytes / 120) }, row)
const json = Buffer.from(
  JSON.stringify(rows.map((values) => Object.fromEntries(names.map((name, k) => [name, values[k]!])))),
)
const csv = Buffer.from([names, ...rows].map((values) => values.join()).join('\n'))

/** Runs both in turns and prints the ratio of the plain one's time. */
async function compare(
  name: string,
  ours: () => unknown,
  plain: () => unknown,
  prepare: () => unknown = () => {},
): Promise<void> {
  const times = { ours: [] as number[], plain: [] as number[] }
  // The first round warms both up.
  for (let round = 0; round <= rounds; round++) {
    for (const [run, into] of [
      [ours, times.ours],
      [plain, times.plain],
    ] as const) {
      await prepare()
      const ms = await timed(run)
      if (round > 0) into.push(ms)
    }
  }
  const [oursMs, plainMs] = [median(times.ours), median(times.plain)]
  // Long lists are for memory (`worker-memory.ts`), so their time has no target.
  if (!name.startsWith('long-lists')) {
    printTarget(`${name}: the plain part’s time : ours`, plainMs / oursMs, { atLeast })
  }
  process.stdout.write(`${name.padEnd(44)} ${oursMs.toFixed(1)} ms, plain ${plainMs.toFixed(1)} ms\n`)
}

function createPlan(counted: Metric[]) {
  return compilePlan(
    { event_time: 'at', fields },
    counted,
    new TimeZone('Europe/Stockholm'),
    Buffer.from('salt'),
  )
}

type Decode = typeof import('../../src/engine/parsing/decode/aggregate-delivery.ts')
async function aggregateWith(plain?: string) {
  const { aggregateDelivery } = await load<Decode>('src/engine/parsing/decode/aggregate-delivery.ts', plain)
  const plan = createPlan(metrics)
  return (content: Buffer, format: 'json' | 'csv', options = {}) => {
    const result = aggregateDelivery(plan, content, format, options)
    if (result.state !== 'parsed' || result.rowsAccepted !== rows.length)
      throw new Error('not all rows parsed')
  }
}

const ours = await aggregateWith()
for (const [format, content] of [
  ['json', json],
  ['csv', csv],
] as const) {
  const document = `2 MiB of ${format.toUpperCase()}`
  await compare(
    `rows from their bytes, ${document}`,
    () => ours(content, format),
    () => ours(content, format, { fast: false }),
  )
  for (const name of ['row-key-table', 'byte-dictionary', 'long-lists']) {
    const plain = await aggregateWith(name)
    await compare(
      `${name}, ${document}`,
      () => ours(content, format),
      () => plain(content, format),
    )
  }
}

// Each row is a cell of its own.
const manyCells = Buffer.from(
  [
    'at,amount,country,shop',
    ...rows.map(([at, amount, country], k) => `${at},${amount},${country},${k}`),
  ].join('\n'),
)
await using deployment = await startDeployment()
const { pool, url } = deployment
const { clock, log } = createTestContext(pool)
type Workers = typeof import('../../src/engine/parsing/worker/parse-worker.ts')
type Pools = typeof import('../../src/engine/parsing/worker/worker-pool.ts')
await using pools = new AsyncDisposableStack()
async function workWith(plain?: string) {
  const { createParseWorker } = await load<Workers>('src/engine/parsing/worker/parse-worker.ts', plain)
  const { createWorkerPool } = await load<Pools>('src/engine/parsing/worker/worker-pool.ts', plain)
  const own = createWorkerPool(url, () => {})
  pools.defer(() => own.end())
  const worker = createParseWorker({ pool: own, shard: firstShard, clock, log })
  return () => worker.drain()
}
const source = await createTestSource(pool, { fields, metrics: metrics.slice(0, 1) })
const fewer = Buffer.from(
  manyCells
    .toString()
    .split('\n')
    .slice(0, cellsWritten + 1)
    .join('\n'),
)
const binary = await workWith()
const text = await workWith('binary-array')
const stored = ['deliveries', 'parse_results', 'contributions', 'samples', 'backlog'].join(', ')
async function prepare(): Promise<void> {
  await pool.query(`truncate ${stored}`)
  await storeDelivery(pool, source, fewer, { format: 'csv' })
}
await compare(`binary-array, ${cellsWritten} cells stored`, binary, text, prepare)
