/**
 * Aggregates 8 MiB of JSON rows into sums by company day and label, and lets DuckDB do the same with the same file:
 * parse it, find the day in the company's time zone, sum exact decimals by day and label. Both read the file within the
 * measured time; the results are compared. DuckDB is told the types and the number of decimals beforehand, and
 * runs the quickest of the statements tried for it; it does not look for duplicate keys or keep refused rows, which
 * the aggregation does. Rounds are interleaved, medians shown.
 *
 *   node bench/parsing/aggregate-json.ts [rounds]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { compilePlan } from '../../src/parsing/plan/compile-plan.ts'
import { contributionsOf } from '../../src/parsing/aggregate/contribution.ts'
import { aggregateDelivery } from '../../src/parsing/decode/aggregate-delivery.ts'
import { TimeZone } from '../../src/values/time-zone.ts'
import type { Field, Metric } from '../../src/sources/declaration.ts'
import { sayInShort } from '../in-short.ts'

const bytesAimed = 8_388_608 - 1024
const zone = 'Europe/Stockholm'
const rounds = Math.max(5, Number(process.argv[2] ?? 9))

/** A generator of its own, so that every run reads the same rows. */
let state = 1
function random(below: number) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const countries = ['SE', 'NO', 'DK', 'FI', 'DE', 'FR', 'GB', 'US', 'NL', 'PL']
const yearStart = Date.UTC(2026, 0, 1)
function moment() {
  return new Date(yearStart + random(365 * 86_400) * 1000).toISOString()
}
function amount() {
  return `${random(1000)}.${String(random(100)).padStart(2, '0')}`
}

interface Case {
  name: string
  fields: Field[]
  row: (k: number) => Record<string, string>
}

function field(name: string, type: Field['type'], personal = false): Field {
  return { name, type, personal }
}
const cases: Case[] = [
  {
    name: '3 fields',
    fields: [field('at', 'timestamp'), field('amount', 'number'), field('country', 'text')],
    row: () => ({ at: moment().replace('.000', ''), amount: amount(), country: countries[random(10)]! }),
  },
  {
    name: '8 fields',
    fields: [
      field('order', 'text'),
      field('at', 'timestamp'),
      field('amount', 'number'),
      field('quantity', 'number'),
      field('country', 'text'),
      field('customer', 'text', true),
      field('returning', 'bool'),
      field('note', 'text'),
    ],
    row: (k) => ({
      order: `2026-${100_000 + k}`,
      at: moment(),
      amount: amount(),
      quantity: String(1 + random(9)),
      country: countries[random(10)]!,
      customer: `kund-${random(20_000)}@example.se`,
      returning: random(2) === 0 ? 'true' : 'false',
      note: random(4) === 0 ? 'Hämtas i butiken' : '',
    }),
  },
]

const metric: Metric = {
  metric: 'revenue',
  aggregation: 'sum',
  field: 'amount',
  filters: [],
  group_by: ['country'],
  period: 'day',
}

const duckTypes = { number: 'DECIMAL(18,2)', text: 'VARCHAR', timestamp: 'TIMESTAMP', bool: 'BOOLEAN' }

function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
function spread(values: number[]) {
  return `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`
}

async function measure({ name, fields, row }: Case, directory: string): Promise<string> {
  const rows: string[] = []
  for (let bytes = 1; bytes < bytesAimed;) {
    const text = JSON.stringify(row(rows.length))
    bytes += text.length + 8
    rows.push(text)
  }
  const file = join(directory, `${name.replace(' ', '-')}.json`)
  const content = `[${rows.join(',')}]`
  writeFileSync(file, content)

  const plan = compilePlan({ event_time: 'at', fields }, [metric], new TimeZone(zone), Buffer.from('salt'))
  const ours = () => {
    const result = aggregateDelivery(plan, readFileSync(file))
    if (result.state !== 'parsed' || result.rowsAccepted !== rows.length) throw new Error('not all rows read')
    return contributionsOf(result.metrics).map(
      (cell) => `${cell.periodStart} ${JSON.parse(cell.labels).country} ${cell.value}`,
    )
  }

  const columns = fields.map(({ name, type }) => `'${name}': '${duckTypes[type]}'`).join(', ')
  const statement = `
    select ("at" at time zone 'UTC' at time zone '${zone}')::date::varchar as day, country, sum(amount)::varchar
    from read_json('${file}', format = 'array', columns = {${columns}})
    group by all`
  const duck = async (threads: number | undefined) => {
    const config = threads === undefined ? {} : { threads: String(threads) }
    const instance = await DuckDBInstance.create(':memory:', {
      ...config,
      autoinstall_known_extensions: 'false',
    })
    const connection = await instance.connect()
    return {
      run: async () => {
        const answer = await connection.runAndReadAll(statement)
        return answer.getRows().map(([day, country, sum]) => `${day} ${country} ${shown(String(sum))}`)
      },
      close: () => {
        connection.closeSync()
        instance.closeSync()
      },
    }
  }
  const one = await duck(1)
  const all = await duck(undefined)

  const expected = ours().toSorted().join()
  for (const result of [await one.run(), await all.run()]) {
    if (result.toSorted().join() !== expected) throw new Error('DuckDB and the aggregation do not agree')
  }
  for (let warm = 0; warm < 3; warm++) ours()

  const times = { ours: [] as number[], one: [] as number[], all: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    await timed(times.ours, ours)
    await timed(times.one, one.run)
    await timed(times.all, all.run)
  }
  one.close()
  all.close()

  const line = (who: string, values: number[]) => {
    const ms = median(values)
    const rate = (rows.length / ms / 1000).toFixed(2)
    const ratio = (ms / median(times.ours)).toFixed(1)
    return `  ${who.padEnd(24)} ${ms.toFixed(1).padStart(7)} ms (${spread(values)})  ${rate} M rows/s  ${ratio} ×\n`
  }
  const ms = median(times.ours)
  sayInShort(
    `8 MiB of JSON, ${name}: rows a second on one core`,
    rows.length / ms / 1_000,
    { atLeast: 1 },
    ' M',
  )
  sayInShort(`8 MiB of JSON, ${name}: DuckDB’s time on one core : ours`, median(times.one) / ms, {
    atLeast: 1,
  })
  return (
    `${name}: ${rows.length} rows, ${content.length} characters, ${expected.split(',').length} cells\n` +
    line('numera, one thread', times.ours) +
    line('DuckDB, one thread', times.one) +
    line('DuckDB, its own choice', times.all)
  )
}

async function timed(into: number[], run: () => unknown) {
  const started = performance.now()
  await run()
  into.push(performance.now() - started)
}

/** A decimal of DuckDB as we show one. */
function shown(sum: string): string {
  return sum.replace(/\.?0+$/, '')
}

const directory = mkdtempSync(join(tmpdir(), 'numera-bench-'))
try {
  process.stdout.write(`median of ${rounds} rounds (fastest to slowest), time as a multiple of ours\n`)
  for (const each of cases) process.stdout.write(await measure(each, directory))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
