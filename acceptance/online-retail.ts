/**
 * A real shop's invoice lines, pushed and read back, against SQL over the raw file.
 *
 *   npm run online-retail -- FILE.csv[.gz]
 *
 * FILE holds the "Online Retail" data set of the UCI Machine Learning Repository (D. Chen, CC BY 4.0): InvoiceNo,
 * StockCode, Description, Quantity, InvoiceDate (London time, no offset), UnitPrice, CustomerID, Country. The company
 * counts its days in Stockholm. The sums are computed a second time by DuckDB straight from the file, and every
 * sample is compared with them digit by digit: as events, pushed as JSON, pushed as CSV documents and delivered as CSV
 * webhooks; then as weekly statements with restatements.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import {
  deliverWebhook,
  push,
  pushDocument,
  type Receipt,
  readSamples,
  type Sample,
  waitUntilRead,
} from '../testing/process/numera-api.ts'
import { startService } from '../testing/process/start-service.ts'
import { type Connected, connectSource, provideCompany } from '../testing/process/company.ts'

const timeZone = 'Europe/Stockholm'

const file = process.argv[2]
if (file === undefined) {
  process.stderr.write('Usage: npm run online-retail -- FILE.csv[.gz]\n')
  process.exit(2)
}
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const duckdb = await (await DuckDBInstance.create(':memory:')).connect()
const query = async (sql: string): Promise<string[][]> =>
  (await duckdb.runAndReadAll(sql)).getRowsJson() as string[][]

await duckdb.run(`
  create table line as
  select InvoiceNo as invoice, Quantity as quantity, UnitPrice as unit_price, CustomerID as customer, Country as country,
    Description as description,
    timezone('Europe/London', cast(InvoiceDate as timestamp)) as instant,
    cast(timezone('${timeZone}', timezone('Europe/London', cast(InvoiceDate as timestamp))) as date) as day
  from read_csv('${file.replaceAll("'", "''")}', header = true, all_varchar = true, quote = '"', escape = '"')`)

interface Line {
  at: string
  invoice: string
  quantity: string
  unit_price: string
  customer: string
  country: string
}

/** The lines of a condition, in the file's order, as a connector would send them. */
const lines = async (where: string): Promise<Line[]> => {
  const rows = await query(`
    select strftime(timezone('UTC', instant), '%Y-%m-%dT%H:%M:%SZ'), invoice, quantity, unit_price, coalesce(customer, ''), country
    from line where ${where} order by rowid`)
  return rows.map(([at, invoice, quantity, unit_price, customer, country]) => ({
    at: at!,
    invoice: invoice!,
    quantity: quantity!,
    unit_price: unit_price!,
    customer: customer!,
    country: country!,
  }))
}

const fields = [
  { name: 'at', type: 'timestamp', personal: false },
  { name: 'invoice', type: 'text', personal: false },
  { name: 'quantity', type: 'number', personal: false },
  { name: 'unit_price', type: 'number', personal: false },
  { name: 'customer', type: 'text', personal: true },
  { name: 'country', type: 'text', personal: false },
]
const revenue = { metric: 'revenue', aggregation: 'sum', field: 'quantity', times: 'unit_price', filters: [] }

/** A metric key is unique in a source, so three metrics need two sources. */
const declarations = {
  daily: [
    { ...revenue, group_by: [], period: 'day' },
    {
      metric: 'active_users',
      aggregation: 'count_distinct',
      field: 'customer',
      filters: [{ field: 'quantity', comparison: '>', value: '0' }],
      group_by: [],
      period: 'month',
    },
  ],
  byCountry: [{ ...revenue, group_by: ['country'], period: 'month' }],
}

const amount = 'sum(cast(quantity as decimal(18, 0)) * cast(unit_price as decimal(18, 6)))'
const month = "date_trunc('month', day)"
const expected: Record<keyof typeof declarations, string> = {
  daily: `
    select 'revenue', strftime(day, '%Y-%m-%d'), '{}', cast(${amount} as varchar) from line group by day
    union all
    select 'active_users', strftime(${month}, '%Y-%m-%d'), '{}', cast(count(distinct customer) as varchar)
    from line where customer is not null and cast(quantity as integer) > 0 group by ${month}`,
  byCountry: `
    select 'revenue', strftime(${month}, '%Y-%m-%d'), '{"country":"' || country || '"}', cast(${amount} as varchar)
    from line group by ${month}, country`,
}

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const withoutTrailingZeros = (value: string): string =>
  value.includes('.') ? value.replace(/\.?0+$/, '') : value

const asText = (metric: string, period: string, labels: string, value: string): string =>
  `${period} ${metric} ${labels} ${value}`

const compare = async (
  name: keyof typeof declarations,
  title: string,
  samples: Sample[],
): Promise<boolean> => {
  const wanted = (await query(expected[name]!)).map(([metric, period, labels, value]) =>
    asText(metric!, period!, labels!, withoutTrailingZeros(value!)),
  )
  const got = samples.map((sample) =>
    asText(sample.metric, sample.period_start, JSON.stringify(sample.labels), sample.value),
  )
  const missing = new Set(wanted).difference(new Set(got))
  const surplus = new Set(got).difference(new Set(wanted))
  const equal = missing.size === 0 && surplus.size === 0 && got.length === wanted.length
  say(`${equal ? 'equal' : 'DIFFERENT'}  ${title}, ${name}: ${got.length} samples, ${wanted.length} by SQL`)
  for (const line of [...missing].slice(0, 5)) say(`  by SQL only:     ${line}`)
  for (const line of [...surplus].slice(0, 5)) say(`  by Numera only:  ${line}`)
  return equal
}

const folder = await mkdtemp(join(tmpdir(), 'numera-online-retail-'))
let allEqual = true
{
  await using service = await startService({
    words: ['serve'],
    environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  const company = await provideCompany(service, { timeZone })

  const openSource = async (name: keyof typeof declarations, settings: object): Promise<Connected> => {
    const declaration = join(folder, 'declaration.json')
    await writeFile(
      declaration,
      JSON.stringify({
        name: `Online Retail, ${name}`,
        system_kind: 'web shop',
        channel: 'push',
        delivers: 'events',
        fields,
        event_time: 'at',
        metrics: declarations[name],
        ...settings,
      }),
    )
    return connectSource(service, company, declaration)
  }

  const all = await lines('true')
  const descriptions = (await query("select coalesce(description, '') from line order by rowid")).flat()

  /** Lines in the format of the shop's own export, with a column that the source does not declare. */
  const csv = (from: number, to: number): string => {
    const records = all.slice(from, to).map((line, index) => {
      const { at, invoice, quantity, unit_price, customer, country } = line
      return [at, invoice, descriptions[from + index]!, quantity, unit_price, customer, country]
        .map(csvCell)
        .join(',')
    })
    const header = 'at,invoice,description,quantity,unit_price,customer,country'
    return [header, ...records, ''].join('\r\n')
  }

  const ways: {
    title: string
    settings: object
    rowsPerDelivery: number
    send: (source: Connected, from: number, to: number) => Promise<Receipt>
  }[] = [
    {
      title: 'pushed as JSON',
      settings: {},
      rowsPerDelivery: 8_000,
      send: ({ credential }, from, to) => push(service.url, credential, `lines:${from}`, all.slice(from, to)),
    },
    {
      title: 'pushed as CSV documents',
      settings: { format: 'csv' },
      rowsPerDelivery: 60_000,
      send: ({ credential }, from, to) =>
        pushDocument(service.url, credential, `lines:${from}`, csv(from, to)),
    },
    {
      title: 'delivered as CSV webhooks',
      settings: { channel: 'webhook' },
      rowsPerDelivery: 8_000,
      send: ({ sourceId, signingSecret }, from, to) =>
        deliverWebhook(service.url, sourceId, signingSecret!, `lines:${from}`, 'text/csv', csv(from, to)),
    },
  ]

  const window = { from: '2010-11-01', to: '2011-07-01' }
  const cancelled = all.filter((line) => line.invoice.startsWith('C')).length
  say(`${all.length} lines, ${cancelled} of them cancellations, from ${file.split('/').at(-1)}`)

  for (const name of ['daily', 'byCountry'] as const) {
    for (const { title, settings, rowsPerDelivery, send } of ways) {
      const source = await openSource(name, settings)
      const startedMs = performance.now()
      const artifacts: string[] = []
      for (let from = 0; from < all.length; from += rowsPerDelivery) {
        artifacts.push((await send(source, from, from + rowsPerDelivery)).artifact_id)
      }
      for (const artifact of artifacts) await waitUntilRead(service.url, source.credential, artifact)
      const tookMs = Math.round(performance.now() - startedMs)
      say(`${title} and read in ${tookMs} ms, ${artifacts.length} deliveries`)
      const { samples } = await readSamples(service.url, source.credential, window)
      allEqual = (await compare(name, `as events, ${title}`, samples)) && allEqual
    }

    // Each week, a statement of all days of its months up to its Sunday. A preliminary one
    // without every third line comes first, and is restated.
    const statements = await openSource(name, { delivers: 'statements' })
    const weeks = await query(
      "select distinct strftime(date_trunc('week', day), '%Y-%m-%d') as week from line order by week",
    )
    for (const [monday] of weeks) {
      const rows = await lines(`
        day >= date_trunc('month', date '${monday}') and day < date '${monday}' + interval 7 day`)
      const partial = rows.filter((_, index) => index % 3 !== 0)
      await push(service.url, statements.credential, `week:${monday}:first`, partial)
      const receipt = await push(service.url, statements.credential, `week:${monday}`, rows)
      await waitUntilRead(service.url, statements.credential, receipt.artifact_id)
    }
    const restated = await readSamples(service.url, statements.credential, window)
    allEqual = (await compare(name, 'as weekly statements, restated', restated.samples)) && allEqual
  }
}
await rm(folder, { recursive: true, force: true })
say(allEqual ? 'Every figure equals the SQL over the raw file, digit by digit.' : 'There are differences.')
process.exitCode = allEqual ? 0 : 1
