/**
 * Aggregates 8 MiB of JSON rows into sums by company day and label, compared with DuckDB on the same file: parse it, find
 * the day in the company's time zone, sum exact decimals by day and label. Both times include reading the file; the results
 * are compared. DuckDB knows the types and the number of decimals in advance, and runs the fastest of several statements; it
 * neither checks for duplicate keys nor records refused rows, as the aggregation does. Rounds alternate, and medians are
 * printed.
 *
 *   node bench/parsing/aggregate-json.ts [rounds]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { compilePlan } from '../../src/engine/parsing/plan/compile-plan.ts'
import { toContributions } from '../../testing/cases/contributions.ts'
import { aggregateDelivery } from '../../src/engine/parsing/decode/aggregate-delivery.ts'
import { TimeZone } from '../../src/formats/values/time-zone.ts'
import type { Field, Metric } from '../../src/engine/declarations/declaration.ts'
import { median, printTarget, timed } from '../figures.ts'
import { field } from './declared.ts'
import { random, randomAmount, randomCountry, randomCustomer, randomMoment } from './random-rows.ts'

const bytesMax = 8_388_608 - 1024
const zone = 'Europe/Stockholm'
const rounds = Math.max(5, Number(process.argv[2] ?? 9))

interface Case {
  name: string
  fields: Field[]
  row: (k: number) => Record<string, string>
}

const cases: Case[] = [
  {
    name: '3 fields',
    fields: [field('at', 'timestamp'), field('amount', 'number'), field('country', 'text')],
    row: () => ({ at: randomMoment().replace('.000', ''), amount: randomAmount(), country: randomCountry() }),
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
      at: randomMoment(),
      amount: randomAmount(),
      quantity: String(1 + random(9)),
      country: randomCountry(),
      customer: randomCustomer(),
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

function spread(values: number[]) {
  return `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`
}

async function measure({ name, fields, row }: Case, directory: string): Promise<string> {
  const rows: string[] = []
  for (let bytes = 1; bytes < bytesMax;) {
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
    if (result.state !== 'parsed' || result.rowsAccepted !== rows.length)
      throw new Error('not all rows were parsed')
    return toContributions(result.metrics).map(
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
        return answer.getRows().map(([day, country, sum]) => `${day} ${country} ${trimZeros(String(sum))}`)
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
    if (result.toSorted().join() !== expected) throw new Error('DuckDB and the aggregation disagree')
  }
  for (let warm = 0; warm < 3; warm++) ours()

  const times = { ours: [] as number[], one: [] as number[], all: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timed(ours))
    times.one.push(await timed(one.run))
    times.all.push(await timed(all.run))
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
  printTarget(
    `8 MiB of JSON, ${name}: rows per second on one core`,
    rows.length / ms / 1_000,
    { atLeast: 1 },
    ' M',
  )
  printTarget(`8 MiB of JSON, ${name}: DuckDB’s time on one core : ours`, median(times.one) / ms, {
    atLeast: 1,
  })
  return (
    `${name}: ${rows.length} rows, ${content.length} characters, ${expected.split(',').length} cells\n` +
    line('numera, one thread', times.ours) +
    line('DuckDB, one thread', times.one) +
    line('DuckDB, its own choice', times.all)
  )
}

/** DuckDB pads decimals with zeros. */
function trimZeros(sum: string): string {
  return sum.replace(/\.?0+$/, '')
}

const directory = mkdtempSync(join(tmpdir(), 'numera-bench-'))
try {
  process.stdout.write(`median of ${rounds} rounds (fastest to slowest), time as a multiple of ours\n`)
  for (const each of cases) process.stdout.write(await measure(each, directory))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
