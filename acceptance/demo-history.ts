import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ConsoleClient, signIn } from '../testing/process/console-client.ts'
import { call, errorOf } from '../testing/process/call.ts'
import { readSamples, type Sample, webhookHeaders } from '../testing/process/numera-api.ts'
import type { Service } from '../testing/process/start-service.ts'
import { owner } from '../testing/process/shop.ts'

type Day = Temporal.PlainDate

const timeZone = 'Europe/Stockholm'
const toDay = (text: string): Day => Temporal.PlainDate.from(text)
const isFrom = (day: Day, first: Day): boolean => Temporal.PlainDate.compare(day, first) >= 0

/** A sample's exact decimal, in öre. */
const toOre = (value: string): bigint => {
  const [whole = '', decimals = ''] = value.replace('-', '').split('.')
  const ore = BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'))
  return value.startsWith('-') ? -ore : ore
}
const addUp = (samples: Sample[]): bigint => samples.reduce((sum, { value }) => sum + toOre(value), 0n)
const byMonth = (samples: Sample[]): Map<string, bigint> => {
  const months = Map.groupBy(samples, ({ period_start }) => period_start.slice(0, 7))
  return new Map([...months].map(([month, of]) => [month, addUp(of)]))
}

/** The latest date with this month and day that is long enough before another. */
const findLast = (before: Day, month: number, day: number): Day => {
  const latest = before.subtract({ days: 45 })
  const here = Temporal.PlainDate.from({ year: latest.year, month, day })
  return isFrom(latest, here) ? here : here.subtract({ years: 1 })
}

/** The Monday of a Black Week: its Friday follows the fourth Thursday of November. */
const getBlackWeek = (year: number): Day => {
  const first = Temporal.PlainDate.from({ year, month: 11, day: 1 })
  return first.add({ days: ((11 - first.dayOfWeek) % 7) + 3 * 7 - 3 })
}
/** The last whole one. */
const lastBlackWeek = (today: Day): Day => {
  const monday = getBlackWeek(today.year)
  return isFrom(today, monday.add({ days: 7 })) ? monday : getBlackWeek(today.year - 1)
}

interface Demo {
  url: string
  today: Day
  browser: ConsoleClient
  /** The console addresses of the owner's two companies. */
  ekeby: string
  norrsken: string
  findSource(company: string, name: string): Promise<string>
  /** A source's file in the demo's data folder. */
  readSecret(file: string): Promise<string>
  /** Up to yesterday: a running demo grows. */
  read(source: string, query?: Record<string, string>): Promise<Sample[]>
  /** Every delivery of an evening that passes the filters. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  deliveries(company: string, query: Record<string, string>): Promise<any[]>
}

const openDemo = async (service: Service): Promise<Demo> => {
  const { url, dataFolder } = service
  const today = Temporal.Now.plainDateISO(timeZone)
  const browser = await signIn(url, owner)
  const { body } = await browser.get('/console/session')
  const getAddress = (name: string): string =>
    `/console/companies/${body.companies.find((one: { name: string }) => one.name === name).company_id}`
  const readSecret = async (file: string): Promise<string> =>
    (await readFile(join(dataFolder, file), 'utf8')).trim()
  return {
    url,
    today,
    browser,
    ekeby: getAddress('Ekeby Handel AB'),
    norrsken: getAddress('Norrsken Kaffe AB'),
    findSource: async (company, name) => {
      const { body: listed } = await browser.get(`${company}/sources`)
      return listed.sources.find((one: { name: string }) => one.name === name).source_id
    },
    readSecret,
    read: async (source, query = {}) => {
      const credential = await readSecret(`${source}.credential`)
      // A call gives at most two years.
      const half = today.subtract({ days: 600 }).toString()
      const parts = [{ from: half }, { from: today.subtract({ days: 1_200 }).toString(), to: half }]
      const found: Sample[] = []
      for (const part of 'from' in query ? [{}] : parts) {
        const wanted = { to: today.toString(), ...part, ...query }
        const { samples, truncated } = await readSamples(url, credential, wanted)
        expect(truncated).toBe(false)
        found.push(...samples)
      }
      return found
    },
    deliveries: async (company, query) => {
      const found = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = new URLSearchParams({ ...query, limit: '100', ...(cursor === '' ? {} : { cursor }) })
        const { body: answer } = await browser.get(`${company}/deliveries?${page}`)
        found.push(...answer.deliveries.filter(({ key }: { key: string }) => !key.includes('-until-')))
        cursor = answer.next_cursor
      }
      return found
    },
  }
}

/** The promises of the demo, checked over the API. */
export const testDemoHistory = (service: () => Service): void => {
  describe('The made-up companies', () => {
    test('The web shop grows by 18 % in a year, with weekdays, Black Week, December and July', async () => {
      const { read, today } = await openDemo(service())
      const samples = await read('shop', { metric: 'revenue' })
      const days = new Map<string, bigint>()
      for (const { period_start: day, value } of samples) days.set(day, (days.get(day) ?? 0n) + toOre(value))
      /** The average day, of the days in the history. */
      const aDay = (first: Day, count: number): number => {
        const some = Array.from({ length: count }, (_, index) =>
          days.get(first.add({ days: index }).toString()),
        )
        const there = some.filter((ore) => ore !== undefined)
        return Number(there.reduce((sum, ore) => sum + ore, 0n)) / there.length
      }
      const lastMonth = today.toPlainYearMonth().subtract({ months: 1 })
      const ofMonth = (month: Temporal.PlainYearMonth): number =>
        aDay(month.toPlainDate({ day: 1 }), month.daysInMonth)
      // Black Week moves within November.
      const grown = lastMonth.month === 11 ? lastMonth.subtract({ months: 1 }) : lastMonth
      const growth = ofMonth(grown) / ofMonth(grown.subtract({ months: 12 }))
      expect(growth).toBeGreaterThan(1.12)
      expect(growth).toBeLessThan(1.24)
      const monday = lastBlackWeek(today)
      const november = aDay(monday.with({ day: 1 }), monday.day - 1)
      expect(aDay(monday, 7) / november).toBeGreaterThan(2.6)
      expect(aDay(monday, 7) / november).toBeLessThan(3.4)
      const december = ofMonth(Temporal.PlainYearMonth.from({ year: monday.year, month: 12 }))
      if (isFrom(today, toDay(`${monday.year + 1}-01-01`))) {
        expect(december / november).toBeGreaterThan(1.6)
        expect(december / november).toBeLessThan(2.05)
      }
      const july = findLast(today, 7, 31).toPlainYearMonth()
      const august = ofMonth(july.add({ months: 1 }))
      expect(ofMonth(july) / august).toBeGreaterThan(0.6)
      expect(ofMonth(july) / august).toBeLessThan(0.8)
    })

    test('Sweden is three fifths of it; Denmark began in March, the channel in June, and two days of May are missing', async () => {
      const { read, today } = await openDemo(service())
      const samples = await read('shop', { metric: 'revenue' })
      const sweden = Number(addUp(samples.filter(({ labels }) => labels['country'] === 'SE')))
      expect(sweden / Number(addUp(samples))).toBeGreaterThan(0.57)
      expect(sweden / Number(addUp(samples))).toBeLessThan(0.63)
      const danish = samples.filter(({ labels }) => labels['country'] === 'DK')
      const march = today.subtract({ days: 45 })
      expect(danish.at(-1)!.period_start).toBe(findLast(today, 3, 1).toString())
      expect(danish.length).toBeGreaterThan(findLast(today, 3, 1).until(march).days)
      const told = samples.filter(({ labels }) => labels['channel'] !== '')
      expect(told.at(-1)!.period_start).toBe(findLast(today, 6, 10).toString())
      expect(new Set(told.map(({ labels }) => labels['channel']))).toEqual(new Set(['web', 'app']))
      const known = new Set(samples.map(({ period_start }) => period_start))
      const [first, last] = [samples.at(-1)!, samples[0]!].map(({ period_start }) => toDay(period_start))
      expect(last!.toString()).toBe(today.subtract({ days: 1 }).toString())
      const missing = Array.from({ length: first!.until(last!).days }, (_, index) =>
        first!.add({ days: index }).toString(),
      ).filter((day) => !known.has(day))
      const gap = findLast(today, 5, 12)
      expect(missing).toEqual([gap.toString(), gap.add({ days: 1 }).toString()])
    })

    test('Its customers of a month grew to 1,600', async () => {
      const { read, today } = await openDemo(service())
      const users = await read('shop', { metric: 'active_users' })
      const whole = users.filter(({ period_start }) => !isFrom(toDay(period_start), today.with({ day: 1 })))
      expect(whole).toHaveLength(36)
      // The first month that came day by day.
      expect([whole[13]!.value, whole[0]!.value]).toEqual(['900', '1600'])
      expect(whole).toEqual(whole.toSorted((a, b) => Number(b.value) - Number(a.value)))
    })

    test('Every delivery was received on the evening of its own day, and parsed immediately', async () => {
      const { browser, ekeby, deliveries, findSource, today } = await openDemo(service())
      const source = await findSource(ekeby, 'Web shop')
      const orders = await deliveries(ekeby, { source, search: 'orders-', sandbox: 'false' })
      expect(orders.length).toBeGreaterThan(400)
      for (const { key, received_at: at } of orders) {
        const received = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone)
        expect(`orders-${received.toPlainDate()}`).toBe(key)
        expect([22, 23]).toContain(received.hour)
      }
      expect(orders[0].key).toBe(`orders-${today.subtract({ days: 1 })}`)
      const { body } = await browser.get(`${ekeby}/deliveries/${orders[30].artifact_id}`)
      const parsedAfterMs = Date.parse(body.parsed_at) - Date.parse(body.received_at)
      expect(parsedAfterMs).toBeGreaterThanOrEqual(0)
      expect(parsedAfterMs).toBeLessThan(30_000)
    })

    test('Each month of the ledger is shop, wholesale and returns to the öre', async () => {
      const { read, today } = await openDemo(service())
      const ledger = await read('ledger')
      const query = { metric: 'revenue' }
      const others = await Promise.all(['shop', 'wholesale', 'returns'].map((source) => read(source, query)))
      const sold = byMonth(others.flat())
      const months = [...byMonth(ledger)].filter(([month]) => month !== today.toString().slice(0, 7))
      expect(months).toHaveLength(36)
      for (const [month, stated] of months) expect([month, stated]).toEqual([month, sold.get(month)])
    })

    test('The ledger stated its months week by week, and corrected one of them', async () => {
      const { url, readSecret, read, today, browser, ekeby, findSource, deliveries } =
        await openDemo(service())
      const wrong = today.toPlainYearMonth().subtract({ months: 3 })
      const month = { from: `${wrong}-01`, to: `${wrong}-02` }
      const corrected = wrong.add({ months: 1 }).toPlainDate({ day: 9 })
      const [now] = await read('ledger', month)
      const [before] = await read('ledger', { ...month, as_of: `${corrected}T06:00:00Z` })
      const [after] = await read('ledger', { ...month, as_of: `${corrected.add({ days: 1 })}T06:00:00Z` })
      expect(after!.value).toBe(now!.value)
      expect(toOre(before!.value) - toOre(now!.value)).toBe(24_850_000n)
      const source = await findSource(ekeby, 'Ledger')
      const query = new URLSearchParams({ ...month, grain: 'month' })
      const { body: report } = await browser.get(`${ekeby}/sources/${source}/reports/revenue?${query}`)
      expect(report.periods[0]).toMatchObject({ start: `${wrong}-01`, restated: 'corrected' })
      const halfWay = `${wrong}-16T06:00:00Z`
      const [early] = await read('ledger', { ...month, as_of: halfWay })
      expect(toOre(early!.value)).toBeLessThan((toOre(now!.value) * 2n) / 3n)
      const statements = await deliveries(ekeby, { source, sandbox: 'false' })
      expect(statements.length).toBeGreaterThan(60)
      for (const { rows_accepted: rows, rows_date_alone: alone } of statements) expect(alone).toBe(rows)
      const traced = new URLSearchParams({ metric: 'revenue', period_start: `${wrong}-01` })
      const credential = await readSecret('ledger.credential')
      const { body: trace } = await call(`${url}/v1/samples/trace?${traced}`, { credential })
      expect(trace.deliveries.length).toBeGreaterThan(4)
    })

    test('Yesterday the ledger added returns to a month that had been closed, and the app is late', async () => {
      const { read, today, browser, ekeby, norrsken, findSource, deliveries } = await openDemo(service())
      const closed = today.toPlainYearMonth().subtract({ months: today.day < 8 ? 2 : 1 })
      const month = { from: `${closed}-01`, to: `${closed}-02` }
      const yesterday = today.subtract({ days: 1 })
      const [before] = await read('ledger', { ...month, as_of: `${yesterday}T06:00:00Z` })
      const [now] = await read('ledger', month)
      expect(toOre(before!.value)).toBeGreaterThan(toOre(now!.value))
      const source = await findSource(ekeby, 'Ledger')
      const keys = (await deliveries(ekeby, { source, search: `ledger-${closed}` })).map(({ key }) => key)
      const names = keys.filter((key) => /-(closed|late-returns)$/.test(key))
      expect(names).toEqual([`ledger-${closed}-late-returns`, `ledger-${closed}-closed`])
      const { body } = await browser.get(`${norrsken}/sources/${await findSource(norrsken, 'App')}`)
      expect(body.activity.freshness).toMatchObject({ late: true })
    })

    test('Returns was paused nine days ago, and refuses deliveries', async () => {
      const { url, browser, ekeby, findSource, readSecret, today, read } = await openDemo(service())
      const { body } = await browser.get(`${ekeby}/sources/${await findSource(ekeby, 'Returns')}`)
      const paused = Temporal.Instant.from(body.source.paused_at).toZonedDateTimeISO(timeZone)
      expect(paused.toPlainDate().toString()).toBe(today.subtract({ days: 9 }).toString())
      const pushed = await call(`${url}/v1/ingest`, {
        method: 'POST',
        credential: await readSecret('returns.credential'),
        body: { idempotency_key: 'late', shape_version: 1, payload: [] },
      })
      expect(errorOf(pushed)).toEqual({ status: 409, code: 'source_paused' })
      const samples = await read('returns')
      expect(samples.length).toBeGreaterThan(200)
      expect(isFrom(paused.toPlainDate(), toDay(samples[0]!.period_start))).toBe(true)
    })

    test('The cash registers deliver by webhook up to yesterday, once also under two ids', async () => {
      const { url, norrsken, findSource, deliveries, today, readSecret } = await openDemo(service())
      const source = await findSource(norrsken, 'Cash registers')
      const sales = await deliveries(norrsken, { source, search: 'sales-' })
      const keys = sales.map(({ key }) => key)
      const [first, last] = [keys.at(-1)!, keys[0]!].map((key: string) => toDay(key.slice('sales-'.length)))
      expect(last!.toString()).toBe(today.subtract({ days: 1 }).toString())
      expect(keys).toHaveLength(first!.until(last!).days + 1)
      expect(sales.every(({ channel }) => channel === 'webhook')).toBe(true)
      // Nothing was stored under the second id, but the id is known, and refused with other bytes.
      const again = `sales-${today.subtract({ days: 5 })}-again`
      expect(keys).not.toContain(again)
      const answer = await call(`${url}/v1/webhooks/${source}`, {
        method: 'POST',
        headers: webhookHeaders(await readSecret('registers.secret'), again, 'application/json', '[]'),
        body: '[]',
      })
      expect(errorOf(answer)).toEqual({ status: 409, code: 'key_reused' })
    })

    test('The last orders of the coffee wholesale have three refused rows and two dates alone', async () => {
      const { browser, norrsken, findSource } = await openDemo(service())
      const source = await findSource(norrsken, 'Wholesale')
      const { body } = await browser.get(`${norrsken}/last-deliveries`)
      const last = body.deliveries.find((one: { source_id: string }) => one.source_id === source)
      expect(last).toMatchObject({ format: 'csv', state: 'parsed', rows_refused: 3, rows_date_alone: 2 })
      expect(last.rows_accepted).toBeGreaterThan(5)
    })

    test('The bookkeeping comes as SIE, restates its months, and has an unreadable file', async () => {
      const { browser, norrsken, findSource, deliveries, read } = await openDemo(service())
      const source = await findSource(norrsken, 'Bookkeeping')
      const files = await deliveries(norrsken, { source })
      expect(files.every(({ format, delivers }) => format === 'sie' && delivers === 'statements')).toBe(true)
      expect(files.filter(({ state }) => state === 'unreadable')).toMatchObject([
        { key: expect.stringMatching(/-cut-off$/), reason: expect.stringContaining('ends before') },
      ])
      const months = await read('bookkeeping')
      expect(months.length).toBeGreaterThanOrEqual(35)
      // Of the first month whose exports came as it ended.
      const from = months[12]!.period_start
      const query = new URLSearchParams({ from, to: from.replace(/01$/, '02'), grain: 'month' })
      const { body: report } = await browser.get(`${norrsken}/sources/${source}/reports/revenue?${query}`)
      expect(report.periods).toMatchObject([{ start: from, restated: expect.any(String) }])
    })

    test('An app reports its weekly users by plan', async () => {
      const { read } = await openDemo(service())
      const users = await read('app')
      expect(new Set(users.map(({ labels }) => labels['plan']))).toEqual(new Set(['free', 'plus', 'team']))
      expect(
        users.every(
          ({ metric, period_start }) => metric === 'active_users' && toDay(period_start).dayOfWeek === 1,
        ),
      ).toBe(true)
      expect(new Set(users.map(({ period_start }) => period_start)).size).toBeGreaterThan(60)
    })

    test('A sole trader joined today, with all invoices so far', async () => {
      const { url, read, today } = await openDemo(service())
      expect(byMonth(await read('invoices')).size).toBeGreaterThanOrEqual(36)
      const browser = await signIn(url, { personalNumber: '189001039826', name: 'Linnea Lindqvist' })
      const { body } = await browser.get('/console/session')
      expect(body.companies).toMatchObject([
        { orgnr: '18900103-9826', name: 'Foto Lindqvist', role: 'owner' },
      ])
      const yesterday = `${today.subtract({ days: 1 })}T00:00:00Z`
      expect(await read('invoices', { as_of: yesterday })).toEqual([])
    })
  })
}
