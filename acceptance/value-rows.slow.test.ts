import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pushDocument, waitUntilRead } from '../testing/process/numera-api.ts'
import { openShop, type Shop } from '../testing/process/shop.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { retailFile } from './retail-file.ts'

// The rows of every cell of a month of a shop's invoice lines, and what changed of them from one statement to the next,
// compared with SQL over the raw file, in decimal arithmetic without floats.

const names = ['invoice', 'stock', 'quantity', 'at', 'unit_price', 'customer', 'country']
/** In SQL, where `at` is a word of its own. */
const columns = names.map((name) => `"${name}"`).join()
const amount = 'cast(sum(cast(quantity as decimal(18, 0)) * cast(unit_price as decimal(18, 6))) as varchar)'

let service: Service
let shop: Shop
let folder: string
let query: (sql: string) => Promise<string[][]>
let [before, after] = ['', '']

const trimmed = (value: string): string => (value.includes('.') ? value.replace(/\.?0+$/, '') : value)
const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Adds decimals exactly, as integers of 10^-8. */
const addUp = (values: readonly (string | null)[]): string => {
  const sum = values.reduce((total, value) => {
    const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value ?? '0')!
    return total + BigInt(`${sign}${whole}${decimals.padEnd(8, '0')}`)
  }, 0n)
  const digits = String(sum < 0n ? -sum : sum).padStart(9, '0')
  return trimmed(`${sum < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`)
}

/** Two statements of December: the file's lines, and those with some lost, changed and doubled. */
const readFileBySql = async (file: string): Promise<void> => {
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect()
  query = async (sql) => (await duckdb.runAndReadAll(sql)).getRowsJson() as string[][]
  await duckdb.run(`
    create table before as
    select row_number() over () as number, * from (
      select InvoiceNo as invoice, StockCode as stock, Quantity as quantity,
        strftime(timezone('UTC', timezone('Europe/London', cast(InvoiceDate as timestamp))), '%Y-%m-%dT%H:%M:%SZ') as "at",
        UnitPrice as unit_price, coalesce(CustomerID, '') as customer, Country as country,
        strftime(timezone('Europe/Stockholm', timezone('Europe/London', cast(InvoiceDate as timestamp))), '%Y-%m-%d') as day
      from read_csv('${file.replaceAll("'", "''")}', header = true, all_varchar = true, quote = '"', escape = '"')
    ) where day between '2010-12-01' and '2010-12-31'`)
  await duckdb.run(`
    create table after as
    select row_number() over (order by number, copy) as number, * exclude (number, copy) from (
      select number, 1 as copy, invoice, stock,
        case when number % 101 = 0 then cast(cast(quantity as int) + 1 as varchar) else quantity end as quantity,
        "at", unit_price, customer, country, day
      from before where number % 97 <> 0
      union all
      select number, 2, invoice || 'x', stock, quantity, "at", unit_price, customer, country, day from before
      where number % 211 = 0
    )`)
}

const push = async (sourceId: string, table: string): Promise<string> => {
  const { credential } = await shop.connect({ source_id: sourceId })
  const rows = await query(`select ${columns} from ${table} order by number`)
  const document = [names.join(), ...rows.map((cells) => cells.map(csvCell).join(','))].join('\r\n')
  const { artifact_id } = await pushDocument(service.url, credential, table, document)
  expect(await waitUntilRead(service.url, credential, artifact_id)).toMatchObject({
    state: 'parsed',
    rows_refused: 0,
  })
  return artifact_id
}

const numbers = new Set(['quantity', 'unit_price'])
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-value-rows-'))
  service = await startService({
    environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  shop = await openShop(service)
  const sourceId = await shop.createSource({
    delivers: 'statements',
    fields: names.map((name) => ({
      name,
      type: name === 'at' ? 'timestamp' : numbers.has(name) ? 'number' : 'text',
      personal: name === 'customer',
    })),
    metrics: [
      {
        metric: 'revenue',
        aggregation: 'sum',
        field: 'quantity',
        times: 'unit_price',
        filters: [],
        group_by: ['country'],
        period: 'day',
      },
    ],
  })
  await readFileBySql(await retailFile(folder))
  before = await push(sourceId, 'before')
  after = await push(sourceId, 'after')
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const call = async (artifactId: string, path: string) => {
  const read = () => shop.browser.get(`${shop.pages}/deliveries/${artifactId}/${path}`)
  let answer = await read()
  // On a busy machine a thread may take too long.
  for (let again = 0; answer.status === 503 && again < 10; again++) answer = await read()
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const cellQuery = (day: string, country: string): string =>
  `metric=revenue&period_start=${day}&label.country=${encodeURIComponent(country)}&limit=200`

const sumOf = (table: string) => `select day, country, ${amount} as value from ${table} group by day, country`
const countEqual = (table: string) =>
  `select ${columns}, day, count(*) as rows from ${table} group by ${columns}, day`

test('The rows of every day and country are those of the file, and give what SQL says', async () => {
  const cells = await query(
    `select day, country, ${amount}, list(number order by number) from before group by day, country order by day, country`,
  )
  expect(cells.length).toBeGreaterThan(80)
  for (const [day, country, value, lines] of cells as unknown as [string, string, string, string[]][]) {
    const rows: { row: number; gave: string }[] = []
    let cursor = ''
    do {
      const page = await call(before, `value-rows?${cellQuery(day, country)}${cursor}`)
      expect([page.value, page.rows_counted]).toEqual([trimmed(value), lines.length])
      rows.push(...page.rows)
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
    } while (cursor !== '')
    expect(rows.map(({ row }) => row)).toEqual(lines.map(Number))
    expect(addUp(rows.map(({ gave }) => gave))).toBe(trimmed(value))
  }
}, 900_000)

test('What changed of every day and country adds up to the difference that SQL says', async () => {
  const cells = await query(`
    with sides as (
      select day, country, b.value as before, a.value as after
      from (${sumOf('before')}) as b
      join (${sumOf('after')}) as a using (day, country)
    ), kept as (
      select day, country, sum(least(b.rows, a.rows)) as rows
      from (${countEqual('before')}) as b join (${countEqual('after')}) as a using (${columns}, day) group by day, country
    )
    select sides.day, sides.country, before, after, cast(coalesce(kept.rows, 0) as varchar)
    from sides left join kept using (day, country) order by day, country`)
  let changes = 0
  for (const [day, country, valueBefore, valueAfter, rowsSame] of cells as [
    string,
    string,
    string,
    string,
    string,
  ][]) {
    const found = await call(
      after,
      `difference?with=${before}&${cellQuery(day, country)}&key=invoice&key=stock`,
    )
    const difference = addUp([
      valueAfter,
      valueBefore.startsWith('-') ? valueBefore.slice(1) : `-${valueBefore}`,
    ])
    expect(found).toMatchObject({
      value_before: trimmed(valueBefore),
      value_after: trimmed(valueAfter),
      difference,
      rows_same: Number(rowsSame),
      next_cursor: null,
    })
    const kinds = [found.gone, found.added, found.changed]
    expect(addUp(kinds.map((kind) => kind.difference))).toBe(difference)
    expect(addUp(found.rows.map((change: { difference: string }) => change.difference))).toBe(difference)
    changes += found.rows.length
  }
  expect(changes).toBeGreaterThan(200)
}, 900_000)
