/**
 * Each hand-made part against its plain counterpart in `plain/`: a whole run with the part, and one with only its file
 * replaced, in turns. A part that is there for speed must make the run at least 1.2 times as fast.
 *
 *   node bench/parsing/hand-made.ts [rounds]
 *
 * Documents are 2 MiB of JSON and of CSV, aggregated; a round of a worker writes 6,000 cells. Takes about 20 seconds.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Field, Metric } from '../../src/sources/declaration.ts'
import { createTestContext } from '../../src/testing/test-context.ts'
import { makeSource } from '../../src/testing/source.ts'
import { storeDelivery } from '../../src/testing/store-delivery.ts'
import { TimeZone } from '../../src/values/time-zone.ts'
import { compilePlan } from '../../src/parsing/plan/compile-plan.ts'
import { sayInShort } from '../in-short.ts'
import { startDeployment } from '../samples/deployment.ts'

const rounds = Math.max(3, Number(process.argv[2] ?? 5))
const atLeast = 1.2
const documentBytes = 2 * 1024 * 1024
const cellsWritten = 6_000

const replaced: Record<string, string> = {
  'row-key-table': 'src/parsing/tables/row-key-table.ts',
  'byte-dictionary': 'src/parsing/tables/byte-dictionary.ts',
  'long-lists': 'src/parsing/tables/long-lists.ts',
  'binary-array': 'src/database/binary-array.ts',
}
const root = join(import.meta.dirname, '../..')
function urlOf(path: string): string {
  return pathToFileURL(join(root, path)).href
}

// Imports of a file marked `?plain=name` are loaded again with the same mark, and the part of that name is replaced.
registerHooks({
  resolve: (specifier, context, next) => {
    const { url, ...rest } = next(specifier, context)
    const name = /[?]plain=([\w-]+)$/.exec(context.parentURL ?? '')?.[1]
    if (name === undefined || !url.startsWith(urlOf('src/')) || url.includes('?')) return { url, ...rest }
    return {
      ...rest,
      url: url === urlOf(replaced[name]!) ? urlOf(`bench/parsing/plain/${name}.ts`) : `${url}?plain=${name}`,
    }
  },
})

/** A module of the service, with one part replaced. */
async function load<Module>(path: string, plain?: string): Promise<Module> {
  return import(urlOf(path) + (plain === undefined ? '' : `?plain=${plain}`)) as Promise<Module>
}

let state = 1
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
function field(name: string, type: Field['type'], personal = false): Field {
  return { name, type, personal }
}
const fields = [
  field('at', 'timestamp'),
  field('amount', 'number'),
  field('country', 'text'),
  field('shop', 'text'),
  field('customer', 'text', true),
]
function metric(parts: Partial<Metric>): Metric {
  return {
    metric: 'revenue',
    aggregation: 'sum',
    field: 'amount',
    filters: [],
    group_by: ['country', 'shop'],
    period: 'day',
    ...parts,
  }
}
const metrics = [
  metric({}),
  metric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer', group_by: ['country'] }),
]
const countries = ['SE', 'NO', 'DK', 'FI', 'DE', 'FR', 'GB', 'US', 'NL', 'PL']
const yearStart = Date.UTC(2026, 0, 1)
function row(): string[] {
  return [
    new Date(yearStart + random(365 * 86_400) * 1_000).toISOString(),
    `${random(1_000)}.${String(random(100)).padStart(2, '0')}`,
    countries[random(10)]!,
    `butik ${random(40)}`,
    `kund-${random(20_000)}@example.se`,
  ]
}
const names = fields.map(({ name }) => name)
const rows = Array.from({ length: Math.floor(documentBytes / 120) }, row)
const json = Buffer.from(
  JSON.stringify(rows.map((values) => Object.fromEntries(names.map((name, k) => [name, values[k]!])))),
)
const csv = Buffer.from([names, ...rows].map((values) => values.join()).join('\n'))

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function timed(run: () => unknown): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** Runs both in turns and prints how many times as long the plain way takes. */
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
  // Long lists are there for memory (`worker-memory.ts`); what they cost in time is only shown.
  if (!name.startsWith('long-lists')) {
    sayInShort(`${name}: the plain way’s time : ours`, plainMs / oursMs, { atLeast })
  }
  process.stdout.write(`${name.padEnd(44)} ${oursMs.toFixed(1)} ms, plain ${plainMs.toFixed(1)} ms\n`)
}

function planOf(counted: Metric[]) {
  return compilePlan(
    { event_time: 'at', fields },
    counted,
    new TimeZone('Europe/Stockholm'),
    Buffer.from('salt'),
  )
}

type Decode = typeof import('../../src/parsing/decode/aggregate-delivery.ts')
async function aggregateWith(plain?: string) {
  const { aggregateDelivery } = await load<Decode>('src/parsing/decode/aggregate-delivery.ts', plain)
  const plan = planOf(metrics)
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

// Each row is a cell.
const manyCells = Buffer.from(
  [
    'at,amount,country,shop',
    ...rows.map(([at, amount, country], k) => `${at},${amount},${country},${k}`),
  ].join('\n'),
)
await using deployment = await startDeployment()
const { pool, url } = deployment
const { clock, log } = createTestContext(pool)
type Workers = typeof import('../../src/parsing/worker/parse-worker.ts')
type Pools = typeof import('../../src/parsing/worker/worker-pool.ts')
await using pools = new AsyncDisposableStack()
async function workWith(plain?: string) {
  const { createParseWorker } = await load<Workers>('src/parsing/worker/parse-worker.ts', plain)
  const { createWorkerPool } = await load<Pools>('src/parsing/worker/worker-pool.ts', plain)
  const own = createWorkerPool(url, () => {})
  pools.defer(() => own.end())
  const worker = createParseWorker({ pool: own, clock, log })
  return () => worker.drain()
}
const source = await makeSource(pool, { fields, metrics: metrics.slice(0, 1) })
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
