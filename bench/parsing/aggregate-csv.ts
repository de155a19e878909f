/**
 * Decodes 8 MiB of stored CSV (zstd), checks it and aggregates it into sums by company day and label, on one core. The
 * rivals csv-parse and papaparse only split the same document into cells: they get it decompressed, papaparse as text, and
 * the fastest mode of each counts. The aggregates are checked against a sum over papaparse's cells. Rounds alternate, and
 * medians are printed.
 *
 *   node bench/parsing/aggregate-csv.ts [rounds]
 */
import { once } from 'node:events'
import { zstdCompressSync } from 'node:zlib'
import { parse as parseStream } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import papaparse from 'papaparse'
import { compilePlan } from '../../src/engine/parsing/plan/compile-plan.ts'
import { toContributions } from '../../testing/cases/contributions.ts'
import { decodeContent } from '../../src/engine/parsing/decode/decode-content.ts'
import { aggregateDelivery } from '../../src/engine/parsing/decode/aggregate-delivery.ts'
import { TimeZone } from '../../src/formats/values/time-zone.ts'
import type { Field, Metric } from '../../src/engine/declarations/declaration.ts'
import { median, printTarget, timed } from '../figures.ts'
import { field } from './declared.ts'
import { random, randomAmount, randomCountry, randomCustomer, randomMoment } from './random-rows.ts'

const bytesMax = 8_388_608 - 1024
const zone = 'Europe/Stockholm'
const rounds = Math.max(5, Number(process.argv[2] ?? 9))
/** The largest share of a rival's time. */
const csvParseShareMax = 1 / 2
const papaparseShareMax = 1

const products = [
  'Kanelbulle',
  'Kaffe, mörkrost',
  'Bok "Vägen hem"',
  'Cykelhjälm',
  'Tröja, ull; blå',
  'Presentkort',
]
interface Case {
  name: string
  delimiter: ',' | ';'
  fields: Field[]
  row: (k: number) => string[]
}

const order: Field[] = [
  field('order', 'text'),
  field('at', 'timestamp'),
  field('amount', 'number'),
  field('quantity', 'number'),
  field('country', 'text'),
  field('customer', 'text', true),
  field('returning', 'bool'),
  field('product', 'text'),
]
function orderRow(k: number) {
  return [
    `2026-${100_000 + k}`,
    randomMoment(),
    randomAmount(),
    String(1 + random(9)),
    randomCountry(),
    randomCustomer(),
    random(2) === 0 ? 'true' : 'false',
    products[random(products.length)]!,
  ]
}
const cases: Case[] = [
  {
    name: 'plain, 3 columns',
    delimiter: ',',
    fields: [field('at', 'timestamp'), field('amount', 'number'), field('country', 'text')],
    row: () => [randomMoment().replace('.000', ''), randomAmount(), randomCountry()],
  },
  { name: 'orders, 8 columns, some quoted', delimiter: ',', fields: order, row: orderRow },
  { name: 'orders with semicolons', delimiter: ';', fields: order, row: orderRow },
]

const metric: Metric = {
  metric: 'revenue',
  aggregation: 'sum',
  field: 'amount',
  filters: [],
  group_by: ['country'],
  period: 'day',
}

function quote(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
}

function spread(values: number[]) {
  return `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`
}

/** Sums by day and country over cells, in hundredths. */
function sumCells(rows: string[][], fields: Field[]): string[] {
  const findColumn = (name: string) => fields.findIndex((field) => field.name === name)
  const [at, amount, country] = [findColumn('at'), findColumn('amount'), findColumn('country')]
  const dayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  const sums = new Map<string, bigint>()
  for (const row of rows.slice(1)) {
    const cell = `${dayFormat.format(new Date(row[at]!))} ${row[country]}`
    sums.set(cell, (sums.get(cell) ?? 0n) + BigInt(row[amount]!.replace('.', '')))
  }
  return [...sums].map(([cell, sum]) => `${cell} ${(Number(sum) / 100).toFixed(2).replace(/\.?0+$/, '')}`)
}

async function splitStream(content: Buffer, delimiter: string): Promise<number> {
  const stream = parseStream({ delimiter })
  let records = 0
  stream.on('data', () => records++)
  stream.end(content)
  await once(stream, 'end')
  return records
}

async function measure({ name, delimiter, fields, row }: Case): Promise<string> {
  const lines = [fields.map((each) => each.name).join(delimiter)]
  for (let bytes = 0; bytes < bytesMax;) {
    const text = row(lines.length)
      .map((cell) => quote(cell, delimiter))
      .join(delimiter)
    bytes += Buffer.byteLength(text) + 2
    lines.push(text)
  }
  const rows = lines.length - 1
  const text = `${lines.join('\r\n')}\r\n`
  const content = Buffer.from(text)
  const stored = {
    content: zstdCompressSync(content),
    content_encoding: 'zstd' as const,
    content_bytes: content.length,
  }

  const plan = compilePlan({ event_time: 'at', fields }, [metric], new TimeZone(zone), Buffer.from('salt'))
  const ours = () => {
    const result = aggregateDelivery(plan, decodeContent(stored), 'csv')
    if (result.state !== 'parsed' || result.rowsAccepted !== rows) throw new Error('not all rows were parsed')
    return toContributions(result.metrics).map(
      (cell) => `${cell.periodStart} ${JSON.parse(cell.labels).country} ${cell.value}`,
    )
  }
  const hasQuotes = text.includes('"')
  const rivals: Record<'csv-parse' | 'papaparse', [mode: string, run: () => unknown][]> = {
    'csv-parse': [
      ['sync, bytes', () => parse(content, { delimiter })],
      ['sync, text', () => parse(text, { delimiter })],
      ['stream', () => splitStream(content, delimiter)],
    ],
    papaparse: [
      ['all at once', () => papaparse.parse<string[]>(text, { delimiter, newline: '\r\n' })],
      [
        'step by step',
        () => {
          let records = 0
          papaparse.parse<string[]>(text, { delimiter, newline: '\r\n', step: () => void records++ })
        },
      ],
      ...(hasQuotes
        ? []
        : [
            [
              'fast mode',
              () => papaparse.parse<string[]>(text, { delimiter, newline: '\r\n', fastMode: true }),
            ] satisfies [string, () => unknown],
          ]),
    ],
  }

  const split = papaparse.parse<string[]>(text, { delimiter, skipEmptyLines: true }).data
  if (ours().toSorted().join() !== sumCells(split, fields).toSorted().join())
    throw new Error('papaparse and the aggregation disagree')

  const all: { who: string; run: () => unknown; times: number[] }[] = [
    { who: 'numera, with decoding', run: ours, times: [] },
    ...Object.entries(rivals).flatMap(([who, modes]) =>
      modes.map(([mode, run]) => ({ who: `${who}, ${mode}`, run, times: [] as number[] })),
    ),
  ]
  for (let round = -2; round < rounds; round++) {
    for (const { run, times } of all) {
      const ms = await timed(run)
      if (round >= 0) times.push(ms)
    }
  }

  const oursMs = median(all[0]!.times)
  const fastest = (who: string) =>
    Math.min(...all.filter((each) => each.who.startsWith(who)).map(({ times }) => median(times)))
  for (const [who, shareMax] of [
    ['csv-parse', csvParseShareMax],
    ['papaparse', papaparseShareMax],
  ] as const) {
    printTarget(`8 MiB of CSV, ${name} : ${who} only splitting it, time`, oursMs / fastest(who), {
      atMost: shareMax,
    })
  }
  return (
    `${name}: ${rows} rows, ${content.length} bytes, ${stored.content.length} stored\n` +
    all
      .map(
        ({ who, times }) =>
          `  ${who.padEnd(26)} ${median(times).toFixed(1).padStart(7)} ms (${spread(times)})\n`,
      )
      .join('') +
    `  ${(rows / oursMs / 1000).toFixed(2)} M rows/s\n`
  )
}

process.stdout.write(`median of ${rounds} interleaved rounds (fastest to slowest)\n`)
for (const each of cases) process.stdout.write(await measure(each))
