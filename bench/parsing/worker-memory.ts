/**
 * The memory of a worker for the worst documents of each format: as many rows as fit into 8 MiB, each in its own cell or
 * with its own value. Prints the peak resident memory of the worker's process (`VmHWM`, so Linux only) and the parsing time:
 * first with one process per document, then with one for all.
 *
 *   node bench/parsing/worker-memory.ts [names of documents…]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Delivers, Field, Metric } from '../../src/engine/declarations/declaration.ts'
import { createTestSource } from '../../testing/in-process/source.ts'
import { storeDelivery } from '../../testing/in-process/store-delivery.ts'
import { startDeployment } from '../samples/deployment.ts'
import { field, metric } from './declared.ts'
import { print } from '../figures.ts'

const bytesMax = 8_388_608
const residentMax = 256 * 1024 * 1024

type Format = 'json' | 'json_lines' | 'csv' | 'sie'

interface Document {
  name: string
  format: Format
  fields: Field[]
  metrics: Metric[]
  delivers?: Delivers
  /** `row` has the number `k`. */
  head: string
  row: (k: number) => string
  tail?: string
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%()*+-./:<=>?@[]^_{|}~'
/** A different number below 2^20 for each `k`, in an order that compresses badly. */
function scrambled(k: number): number {
  let x = k
  for (const factor of [0x9e375, 0x5bd1f, 0xc2b2b]) {
    x ^= x >>> 9
    x = Math.imul(x, factor) & 0xfffff
  }
  return x ^ (x >>> 11)
}
/** A short text, different for each number. */
function short(k: number): string {
  let text = ''
  for (let rest = scrambled(k); rest > 0 || text === ''; rest = Math.floor(rest / letters.length))
    text += letters[rest % letters.length]
  return text
}
/** A day, different for each number. */
function day(k: number): string {
  return new Date(Date.UTC(1000, 0, 1) + scrambled(k) * 2 * 86_400_000).toISOString().slice(0, 10)
}

const names = Array.from({ length: 20 }, (_, k) => `l${k}`)
const one = [field('a', 'timestamp'), field('c')]
const amounts = [field('a', 'timestamp'), field('c'), field('n', 'number')]
const twenty = [field('a', 'timestamp'), ...names.map((name) => field(name))]
const byLabel = [metric({ group_by: ['c'] })]
const byLabelTwice = [metric({ group_by: ['c'] }), metric({ metric: 'active_users', group_by: ['c'] })]
const sums = [
  metric({ aggregation: 'sum', field: 'n', group_by: ['c'] }),
  metric({ metric: 'active_users', aggregation: 'last', field: 'n', group_by: ['c'] }),
]
const distinct = [metric({ aggregation: 'count_distinct', field: 'c' })]
const distinctTwice = [
  metric({ aggregation: 'count_distinct', field: 'c', group_by: ['c'] }),
  metric({ metric: 'active_users', aggregation: 'count_distinct', field: 'c', period: 'month' }),
]
const byTwenty = [metric({ group_by: names }), metric({ metric: 'active_users', group_by: names })]
const byTime = [
  metric({ group_by: ['a'] }),
  metric({ metric: 'active_users', aggregation: 'count_distinct', field: 'a', period: 'week' }),
]

function json(row: (k: number) => string) {
  return {
    format: 'json' as const,
    head: '[{"a":"2026-01-05"}',
    row: (k: number) => `,${row(k)}`,
    tail: ']',
  }
}
function lines(row: (k: number) => string) {
  return {
    format: 'json_lines' as const,
    head: '',
    row: (k: number) => `${row(k)}\n`,
  }
}
function csv(columns: string, row: (k: number) => string) {
  return {
    format: 'csv' as const,
    head: `${columns}\n`,
    row: (k: number) => `${row(k)}\n`,
  }
}
function sie(row: (k: number) => string) {
  return {
    format: 'sie' as const,
    head: '#FLAGGA 0\n#SIETYP 4\n#VER A 1 20260105\n{\n',
    row: (k: number) => `${row(k)}\n`,
    tail: '}\n',
  }
}

function labelled(k: number): string {
  return `{"a":"2026-01-05","c":"${short(k)}"}`
}
const documents: Document[] = [
  { name: 'json: labels', fields: one, metrics: byLabel, ...json(labelled) },
  { name: 'json: distinct', fields: one, metrics: distinct, ...json(labelled) },
  { name: 'json: both metrics', fields: one, metrics: byLabelTwice, ...json(labelled) },
  {
    name: 'json: twenty labels, both metrics',
    fields: twenty,
    metrics: byTwenty,
    ...json((k) => `{"a":"2026-01-05","l${k % 20}":"${short(k)}"}`),
  },
  {
    name: 'json lines: statements, both metrics',
    fields: one,
    metrics: byLabelTwice,
    delivers: 'statements',
    ...lines((k) => `{"a":"2026-01-05","c":"${short(k)}"}`),
  },
  {
    name: 'csv: both metrics',
    fields: one,
    metrics: byLabelTwice,
    ...csv('a,c', (k) => `2026-01-05,${short(k)}`),
  },
  {
    name: 'csv: distinct twice',
    fields: one,
    metrics: distinctTwice,
    ...csv('a,c', (k) => `2026-01-05,${short(k)}`),
  },
  {
    name: 'csv: twenty labels, both metrics',
    fields: twenty,
    metrics: byTwenty,
    ...csv(
      `a,${names.join(',')}`,
      (k) => `2026-01-05${','.repeat(1 + (k % 20))}${short(k)}${','.repeat(19 - (k % 20))}`,
    ),
  },
  {
    name: 'csv: large numbers',
    fields: amounts,
    metrics: sums,
    ...csv('a,c,n', (k) => `2026-01-05,${short(k)},1e30`),
  },
  {
    name: 'csv: statements of as many days',
    fields: one,
    metrics: byTime,
    delivers: 'statements',
    ...csv('a', (k) => day(k)),
  },
  { name: 'csv: events of as many days', fields: one, metrics: byTime, ...csv('a', (k) => day(k)) },
  {
    name: 'sie: texts',
    fields: [field('date', 'timestamp'), field('text'), field('amount', 'number')],
    metrics: [
      metric({ aggregation: 'sum', field: 'amount', group_by: ['text'] }),
      metric({ metric: 'active_users', group_by: ['text'] }),
    ],
    ...sie((k) => `#TRANS 1 {} 1 "" ${short(k).replaceAll(/[{}]/g, '_')}`),
  },
]

function write({ head, row, tail = '' }: Document): Buffer {
  const parts = [head]
  let bytes = head.length + tail.length
  for (let k = 0; ; k++) {
    const text = row(k)
    bytes += text.length
    if (bytes > bytesMax) break
    parts.push(text)
  }
  return Buffer.from(parts.join('') + tail)
}

async function store(pool: Pool, document: Document): Promise<void> {
  const eventTime = document.fields[0]!.name
  const source = await createTestSource(pool, {
    delivers: document.delivers ?? 'events',
    fields: document.fields,
    metrics: document.metrics,
  })
  await pool.query('update shapes set event_time = $2 where source_id = $1', [source.sourceId, eventTime])
  await storeDelivery(pool, source, write(document), { compressed: true, format: document.format })
}

function startParsing(url: string): ChildProcess {
  return fork(join(import.meta.dirname, 'worker-process.ts'), [url])
}

async function stop(worker: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await exited
}

/** The peak resident memory of a process so far, in bytes. */
function peak(worker: ChildProcess): number {
  const status = readFileSync(`/proc/${worker.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) * 1024
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`
}

await using deployment = await startDeployment()
const { pool, url } = deployment

async function waitUntilParsed(): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from backlog limit 1')
    if (rows.length === 0) return
    await sleep(20)
  }
}
async function outcome(): Promise<string> {
  const { rows } = await pool.query(
    `select state, reason, rows_accepted, rows_refused, (select count(*) from samples) as samples,
      (select count(*) from contributions) as contributions, (select count(*) from distinct_values) as distinct
    from parse_results order by receive_number desc limit 1`,
  )
  const { state, reason, rows_accepted, rows_refused, samples, contributions, distinct } = rows[0]
  await pool.query('truncate samples, contributions, distinct_values, period_owners, period_deliveries')
  const refused = rows_refused > 0 ? `, ${rows_refused} refused` : ''
  const result = state === 'parsed' ? `${rows_accepted} rows${refused}` : `${state}: ${reason}`
  return `${result}, ${samples} samples, ${contributions} contributions, ${distinct} distinct values`
}

const parts = process.argv.slice(2)
const chosen = documents.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
let highest = 0
async function parse(worker: ChildProcess, document: Document): Promise<void> {
  await store(pool, document)
  const storedMs = performance.now()
  await waitUntilParsed()
  const seconds = (performance.now() - storedMs) / 1000
  highest = Math.max(highest, peak(worker))
  print(
    `${document.name.padEnd(38)} ${mebibytes(peak(worker)).padStart(8)}  ${seconds.toFixed(1).padStart(5)} s  ${await outcome()}`,
  )
}

const idle = startParsing(url)
await sleep(1_500)
print(`${'idle'.padEnd(38)} ${mebibytes(peak(idle)).padStart(8)}`)
await stop(idle)
for (const document of chosen) {
  const worker = startParsing(url)
  await sleep(1_500)
  await parse(worker, document)
  await stop(worker)
}
print('one after another in one process')
const worker = startParsing(url)
for (const document of chosen) await parse(worker, document)
await stop(worker)
print(
  `at most ${mebibytes(highest)}, ${highest < residentMax ? 'below' : 'NOT below'} ${mebibytes(residentMax)}`,
)
