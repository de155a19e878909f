import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'csv-parse/sync'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { comeSignedIn } from '../testing/browser/member-in-browser.ts'
import { pushDocument, waitUntilRead } from '../testing/process/numera-api.ts'
import { retailFile } from './retail-file.ts'
import { speak } from '../testing/browser/screens.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { openShop, owner, type Shop } from '../testing/process/shop.ts'

// A shop's invoice lines, as the pages show them, compared with SQL over the raw file, in decimal arithmetic without floats.

/** Of one delivery. */
const linesPerDelivery = 60_000
/** All months that the file has lines of. */
const window = 'from=2010-12-01&to=2011-06-30'

let service: Service
let browser: Browser
let folder: string
let shop: Shop
let sourceId: string
/** By month, and by month and country; without zeros at the end. */
const expected = { all: new Map<string, string>(), byCountry: new Map<string, string>() }

const trimmed = (value: string): string => (value.includes('.') ? value.replace(/\.?0+$/, '') : value)

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Reads the file by SQL. Gives its lines as a connector would send them, with the offset that the file lacks. */
const readFileBySql = async (file: string): Promise<string[]> => {
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect()
  const query = async (sql: string): Promise<string[][]> =>
    (await duckdb.runAndReadAll(sql)).getRowsJson() as string[][]
  await duckdb.run(`
    create table line as
    select Quantity as quantity, UnitPrice as unit_price, coalesce(CustomerID, '') as customer, Country as country,
      timezone('Europe/London', cast(InvoiceDate as timestamp)) as instant,
      date_trunc('month', cast(timezone('Europe/Stockholm', timezone('Europe/London', cast(InvoiceDate as timestamp))) as date))
        as month
    from read_csv('${file.replaceAll("'", "''")}', header = true, all_varchar = true, quote = '"', escape = '"')`)
  const amount = 'cast(sum(cast(quantity as decimal(18, 0)) * cast(unit_price as decimal(18, 6))) as varchar)'
  const month = "strftime(month, '%Y-%m-%d')"
  for (const [start, value] of await query(`select ${month}, ${amount} from line group by month`)) {
    expected.all.set(start!, trimmed(value!))
  }
  for (const [start, country, value] of await query(
    `select ${month}, country, ${amount} from line group by month, country`,
  )) {
    expected.byCountry.set(`${start} ${country}`, trimmed(value!))
  }
  const rows = await query(`
    select strftime(timezone('UTC', instant), '%Y-%m-%dT%H:%M:%SZ'), quantity, unit_price, customer, country
    from line order by rowid`)
  return rows.map((cells) => cells.map(csvCell).join(','))
}

const push = async (lines: readonly string[]): Promise<void> => {
  const { credential } = await shop.connect({ source_id: sourceId })
  const artifacts: string[] = []
  for (let from = 0; from < lines.length; from += linesPerDelivery) {
    const document = [
      'at,quantity,unit_price,customer,country',
      ...lines.slice(from, from + linesPerDelivery),
      '',
    ]
    const receipt = await pushDocument(service.url, credential, `lines:${from}`, document.join('\r\n'))
    artifacts.push(receipt.artifact_id)
  }
  for (const artifact of artifacts) {
    expect(await waitUntilRead(service.url, credential, artifact)).toMatchObject({
      state: 'parsed',
      rows_refused: 0,
    })
  }
}

const field = (name: string, type: string) => ({ name, type, personal: name === 'customer' })

let context: BrowserContext
let page: Page
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-real-data-'))
  ;[service, browser] = await Promise.all([
    startService({ environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' } }),
    shareBrowser(),
  ])
  shop = await openShop(service)
  sourceId = await shop.createSource({
    fields: [
      field('at', 'timestamp'),
      field('quantity', 'number'),
      field('unit_price', 'number'),
      field('customer', 'text'),
      field('country', 'text'),
    ],
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
  await push(await readFileBySql(await retailFile(folder)))
  ;({ context } = await openContext(browser, { viewport: { width: 1_600, height: 1_000 } }))
  await comeSignedIn(context, service.url, owner)
  page = await context.newPage()
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const openReport = async (query = ''): Promise<void> => {
  await page.goto(
    `${service.url}/companies/${shop.company.companyId}/reports/${sourceId}/revenue?grain=month&year=no&${window}${query}`,
  )
  await page.getByRole('slider').waitFor()
}

const monthNames =
  'January February March April May June July August September October November December'.split(' ')

/** `December 2010` as the API names it. */
const toPeriodStart = (text: string): string => {
  const [name, year] = /^(\w+) (\d{4})/.exec(text)!.slice(1) as [string, string]
  return `${year}-${String(monthNames.indexOf(name) + 1).padStart(2, '0')}-01`
}

/** The plain digits of a formatted number. */
const plain = (text: string): string => trimmed(text.replaceAll(/[,\s]/g, '').replace('\u2212', '-'))

/** The table under the chart: its heads, and the cells of each month. */
const readTable = async (): Promise<{ heads: string[]; rows: Map<string, string[]> }> => {
  const table = page.getByRole('table')
  const heads = await table.getByRole('columnheader').allInnerTexts()
  const rows = new Map<string, string[]>()
  for (const row of await table.locator('tbody tr').all()) {
    const cells = await row.locator('td').allInnerTexts()
    rows.set(toPeriodStart(await row.getByRole('rowheader').innerText()), cells.map(plain))
  }
  return { heads: heads.map((head) => head.trim()), rows }
}

/** The months that both have. */
const said = (figures: Iterable<readonly [string, string | undefined]>): Map<string, string> =>
  new Map([...figures].filter((pair): pair is [string, string] => expected.all.has(pair[0])))

describe('The monthly revenue of the file', () => {
  test('is in the table under the chart as in SQL, digit by digit', async () => {
    expect(expected.all.size).toBeGreaterThanOrEqual(6)
    await openReport()
    const { heads, rows } = await readTable()
    expect(heads).toEqual(['Month', 'All'])
    expect(said([...rows].map(([month, cells]) => [month, cells[0]]))).toEqual(expected.all)
    // And nothing for a month without lines.
    const others = [...rows].filter(([month]) => !expected.all.has(month)).map(([, cells]) => cells[0])
    expect(others.filter((cell) => /\d/.test(cell!))).toEqual([])
  })

  test('is read out from the chart month by month, as in the table', async () => {
    await openReport()
    const chart = page.getByRole('slider')
    const read = new Map<string, string>()
    await chart.press('Home')
    for (let month = 0; month < expected.all.size; month++) {
      const text = (await chart.getAttribute('aria-valuetext'))!
      const [name, value] = /^(\w+ \d{4}).*?: ([\d,.\u2212]+) /.exec(text)!.slice(1) as [string, string]
      read.set(toPeriodStart(name), plain(value))
      await chart.press('ArrowRight')
    }
    expect(read).toEqual(expected.all)
  })

  test('adds up by country, and each country is as in SQL', async () => {
    await openReport('&by=country')
    const { heads, rows } = await readTable()
    const countries = heads.slice(1, 9)
    expect(heads.at(-1)).toBe('All')
    expect(countries).toContain('United Kingdom')
    for (const [month, cells] of rows) {
      if (!expected.all.has(month)) continue
      for (const [place, country] of countries.entries()) {
        const wanted = expected.byCountry.get(`${month} ${country}`)
        expect([month, country, /\d/.test(cells[place]!) ? cells[place] : undefined]).toEqual([
          month,
          country,
          wanted,
        ])
      }
      expect([month, cells.at(-1)]).toEqual([month, expected.all.get(month)])
    }
  })

  test.each([
    ['en', ',', '.', 'First day', 'All (SEK)'],
    ['sv', ';', ',', 'Första dag', 'Alla (SEK)'],
  ])(
    'is in the downloaded CSV file with the same digits (%s)',
    async (language, delimiter, point, first, all) => {
      await openReport('&by=country')
      await speak(page, language)
      await page
        .getByText(language === 'sv' ? 'Siffror' : 'Figures')
        .first()
        .waitFor()
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'CSV' }).click()
      const text = await readFile(await (await downloading).path(), 'utf8')
      const lines: Record<string, string>[] = parse(text, { bom: true, columns: true, delimiter })
      expect(said(lines.map((line) => [line[first]!, trimmed(line[all]!.replace(point, '.'))]))).toEqual(
        expected.all,
      )
      for (const line of lines) {
        const wanted = expected.byCountry.get(`${line[first]} United Kingdom`)
        const got = line['United Kingdom (SEK)']!.replace(point, '.')
        expect([line[first], got === '' ? undefined : trimmed(got)]).toEqual([line[first], wanted])
      }
      await speak(page, 'en')
    },
  )
})
