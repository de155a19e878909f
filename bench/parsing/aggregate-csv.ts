/**
 * Decodes 8 MiB of stored CSV (zstd), checks it and aggregates it into sums by company day and label, on one core.
 * Beside it, csv-parse and papaparse only split the same document into cells: they get it decompressed, papaparse as
 * text, and the quickest of each one's modes counts. The aggregates are compared with a sum over papaparse's cells.
 * Rounds are interleaved, medians shown.
 *
 *   node bench/parsing/aggregate-csv.ts [rounds]
 */
import { once } from 'node:events'
import { zstdCompressSync } from 'node:zlib'
import { parse as parseStream } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import papaparse from 'papaparse'
import { compilePlan } from '../../src/parsing/plan/compile-plan.ts'
import { contributionsOf } from '../../src/parsing/aggregate/contribution.ts'
import { decodeContent } from '../../src/parsing/decode/decode-content.ts'
import { aggregateDelivery } from '../../src/parsing/decode/aggregate-delivery.ts'
import { TimeZone } from '../../src/values/time-zone.ts'
import type { Field, Metric } from '../../src/sources/declaration.ts'
import { sayInShort } from '../in-short.ts'

const bytesAimed = 8_388_608 - 1024
const zone = 'Europe/Stockholm'
const rounds = Math.max(5, Number(process.argv[2] ?? 9))
/** The bound: at most this share of the others' time. */
const ofCsvParseMax = 1 / 2
const ofPapaparseMax = 1

/** A generator of its own, so that every run reads the same rows. */
let state = 1
function random(below: number) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const countries = ['SE', 'NO', 'DK', 'FI', 'DE', 'FR', 'GB', 'US', 'NL', 'PL']
const products = [
  'Kanelbulle',
  'Kaffe, mörkrost',
  'Bok "Vägen hem"',
  'Cykelhjälm',
  'Tröja, ull; blå',
  'Presentkort',
]
const yearStart = Date.UTC(2026, 0, 1)
function moment() {
  return new Date(yearStart + random(365 * 86_400) * 1000).toISOString()
}
function amount() {
  return `${random(1000)}.${String(random(100)).padStart(2, '0')}`
}

interface Case {
  name: string
  delimiter: ',' | ';'
  fields: Field[]
  row: (k: number) => string[]
}

function field(name: string, type: Field['type'], personal = false): Field {
  return { name, type, personal }
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
    moment(),
    amount(),
    String(1 + random(9)),
    countries[random(10)]!,
    `kund-${random(20_000)}@example.se`,
    random(2) === 0 ? 'true' : 'false',
    products[random(products.length)]!,
  ]
}
const cases: Case[] = [
  {
    name: 'plain, 3 columns',
    delimiter: ',',
    fields: [field('at', 'timestamp'), field('amount', 'number'), field('country', 'text')],
    row: () => [moment().replace('.000', ''), amount(), countries[random(10)]!],
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

function written(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
}

function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
function spread(values: number[]) {
  return `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`
}

/** Sums by day and country over cells, in hundredths. */
function sumCells(rows: string[][], fields: Field[]): string[] {
  const place = (name: string) => fields.findIndex((field) => field.name === name)
  const [at, amount, country] = [place('at'), place('amount'), place('country')]
  const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  const sums = new Map<string, bigint>()
  for (const row of rows.slice(1)) {
    const cell = `${dayOf.format(new Date(row[at]!))} ${row[country]}`
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

async function timed(into: number[], run: () => unknown) {
  const started = performance.now()
  await run()
  into.push(performance.now() - started)
}

async function measure({ name, delimiter, fields, row }: Case): Promise<string> {
  const lines = [fields.map((each) => each.name).join(delimiter)]
  for (let bytes = 0; bytes < bytesAimed;) {
    const text = row(lines.length)
      .map((cell) => written(cell, delimiter))
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
    if (result.state !== 'parsed' || result.rowsAccepted !== rows) throw new Error('not all rows read')
    return contributionsOf(result.metrics).map(
      (cell) => `${cell.periodStart} ${JSON.parse(cell.labels).country} ${cell.value}`,
    )
  }
  const hasQuotes = text.includes('"')
  const rivals: Record<'csv-parse' | 'papaparse', [way: string, run: () => unknown][]> = {
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
    throw new Error('papaparse and the aggregation do not agree')

  const all: { who: string; run: () => unknown; times: number[] }[] = [
    { who: 'numera, with decoding', run: ours, times: [] },
    ...Object.entries(rivals).flatMap(([who, ways]) =>
      ways.map(([way, run]) => ({ who: `${who}, ${way}`, run, times: [] as number[] })),
    ),
  ]
  for (let round = -2; round < rounds; round++) {
    for (const { run, times } of all) await timed(round < 0 ? [] : times, run)
  }

  const oursMs = median(all[0]!.times)
  const quickest = (who: string) =>
    Math.min(...all.filter((each) => each.who.startsWith(who)).map(({ times }) => median(times)))
  for (const [who, partMax] of [
    ['csv-parse', ofCsvParseMax],
    ['papaparse', ofPapaparseMax],
  ] as const) {
    sayInShort(`8 MiB of CSV, ${name} : ${who} only splitting it, time`, oursMs / quickest(who), {
      atMost: partMax,
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
