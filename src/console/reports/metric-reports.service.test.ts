import { type Aggregation, aggregationNames } from '../../engine/aggregations/aggregations.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { pauseSource } from '../../company/sources/pause-source.ts'
import {
  createConsoleClient,
  signInConsole,
  type ConsoleClient,
} from '../../../testing/in-process/console-client.ts'
import { fillReports, findFaultyPlans } from '../../../testing/in-process/report-plans.ts'
import { seedScene } from '../../../testing/in-process/scene.ts'
import { seedCompany, seedMember, seedSource } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery, type StoreOptions } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { sourcesReadAtOnceMax } from './list-reports.ts'
import { countPeriodsCut, type ValuesSubject } from './read-values.ts'
import { periodsFrom } from './report-periods.ts'
import { traceCellsMax } from './trace-value.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
beforeEach(async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  // Every test signs a person in.
  await database.pool.query('delete from rate_buckets')
})

interface Shop {
  companyId: string
  sourceId: string
  reader: ConsoleClient
  /** For a later day, when the session is over. */
  signInAgain: () => Promise<ConsoleClient>
  company: string
  /** Of revenue. */
  report: string
  trace: string
}

const openShop = async (
  declaration: Partial<Declaration> = {},
  timeZone = 'Europe/Stockholm',
): Promise<Shop> => {
  const scene = await seedScene(context, {
    company: { timeZone },
    members: ['reader'],
    source: { fields: [...testFields, { name: 'device', type: 'text', personal: false }], ...declaration },
  })
  const { companyId } = scene.company
  const { sourceId } = scene.source
  const company = `/console/companies/${companyId}`
  const source = `${company}/sources/${sourceId}`
  const signInAgain = () => signInConsole(app, context, scene.reader)
  const reader = await signInAgain()
  return {
    companyId,
    sourceId,
    reader,
    signInAgain,
    company,
    report: `${source}/reports/revenue`,
    trace: `${source}/samples/trace?metric=revenue`,
  }
}

const deliver = async (shop: Shop, rows: object[], options: StoreOptions = {}): Promise<string> => {
  const { artifactId } = await storeDelivery(database.pool, shop, rows, options)
  await worker.drain()
  return artifactId
}

/** The report, or what is wrong with the question. */
const read = async (shop: Shop, query = '') => {
  const { status, body } = await shop.reader.get(`${shop.report}${query}`)
  expect(status, `${query}: ${JSON.stringify(body)}`).toBe(200)
  return body
}

const byCountry = { metrics: [testMetric({ group_by: ['country'] })] }
const statements = { delivers: 'statements' as const, ...byCountry }

/** Adds decimals by hand, as integers of 10^-20. */
const addUp = (values: readonly string[]): string => {
  const scaled = values.map((value) => {
    const [whole = '', decimals = ''] = value.replace('-', '').split('.')
    const digits = BigInt(whole + decimals.padEnd(20, '0'))
    return value.startsWith('-') ? -digits : digits
  })
  const sum = scaled.reduce((a, b) => a + b, 0n)
  const digits = String(sum < 0n ? -sum : sum).padStart(21, '0')
  const shown = `${digits.slice(0, -20)}.${digits.slice(-20)}`.replace(/\.?0+$/, '')
  return sum < 0n ? `-${shown}` : shown
}

/** A sequence that looks random and is the same every time. */
const numbers = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed
}

const monthOf = (report: { periods: { start: string }[] }, start: string): number =>
  report.periods.findIndex((period) => period.start === start)

describe('values', () => {
  test('days come to weeks and months exactly, digit by digit', async () => {
    const shop = await openShop(byCountry)
    const next = numbers(7)
    const rows = Array.from({ length: 600 }, (_, index) => {
      const day = new Date(Date.UTC(2025, 8, 1 + (next() % 190))).toISOString().slice(0, 10)
      const digits = `${next()}${next()}`.slice(0, 1 + (next() % 18))
      const decimals = `${next()}${next()}`.slice(0, next() % 18)
      const sign = next() % 3 === 0 ? '-' : ''
      const country = ['SE', 'NO', 'DK'][index % 3]!
      return { at: day, amount: `${sign}${digits}${decimals && `.${decimals}`}`, country }
    })
    rows.push({ at: '2025-10-31', amount: '99999999999999999999999999999999999999', country: 'SE' })
    rows.push({ at: '2025-10-01', amount: '0.000000000000000001', country: 'SE' })
    await deliver(shop, rows.slice(0, 300))
    await deliver(shop, rows.slice(300))
    for (const [grain, startOf] of [
      ['day', (day: string) => day],
      ['month', (day: string) => `${day.slice(0, 7)}-01`],
      [
        'week',
        (day: string) => {
          const date = Temporal.PlainDate.from(day)
          return date.subtract({ days: date.dayOfWeek - 1 }).toString()
        },
      ],
    ] as const) {
      const report = await read(shop, `?grain=${grain}&by=country&from=2025-09-01&to=2026-03-16`)
      expect(report).toMatchObject({ grain, by: 'country', combines: 'sum', complete: true })
      for (const [place, { start }] of report.periods.entries()) {
        const inPeriod = rows.filter(({ at }) => startOf(at) === start)
        const expected = inPeriod.length === 0 ? null : addUp(inPeriod.map(({ amount }) => amount))
        expect([start, report.totals[place]]).toEqual([start, expected])
        for (const { key, values } of report.series) {
          const ofKey = inPeriod.filter(({ country }) => country === key)
          const sum = ofKey.length === 0 ? null : addUp(ofKey.map(({ amount }) => amount))
          expect([start, key, values[place]]).toEqual([start, key, sum])
        }
      }
      expect(report.row_total).toBe(addUp(rows.map(({ amount }) => amount)))
      for (const { key, row_total: rowTotal } of report.series) {
        const ofKey = rows.filter(({ country }) => country === key)
        expect(rowTotal).toBe(addUp(ofKey.map(({ amount }) => amount)))
      }
    }
  })

  test('0 is a value, and nothing said is none', async () => {
    const shop = await openShop()
    await deliver(shop, [
      { at: '2026-03-01', amount: '5' },
      { at: '2026-03-01', amount: '-5' },
      { at: '2026-03-03', amount: '-0' },
    ])
    const report = await read(shop, '?from=2026-03-01&to=2026-03-05')
    expect(report.totals).toEqual(['0', null, '0', null])
    expect(report.periods.map(({ known }: { known: boolean }) => known)).toEqual([true, false, true, false])
    expect(report.row_total).toBe('0')
    const empty = await read(shop, '?from=2026-03-10')
    expect([empty.totals, empty.row_total, empty.series]).toEqual([Array(6).fill(null), null, []])
  })

  test('different values and last values are never added', async () => {
    for (const aggregation of ['count_distinct', 'last'] as const) {
      const field = aggregation === 'last' ? 'amount' : 'customer'
      const shop = await openShop({
        metrics: [testMetric({ aggregation, field, group_by: ['country', 'device'] })],
      })
      await deliver(shop, [
        { at: '2026-03-01', amount: '1', customer: 'ada', country: 'SE', device: 'phone' },
        { at: '2026-03-02', amount: '1', customer: 'ada', country: 'SE', device: 'phone' },
        { at: '2026-03-02', amount: '1', customer: 'ada', country: 'NO', device: 'phone' },
      ])
      const window = 'from=2026-03-01&to=2026-03-03'
      const all = await read(shop, `?${window}`)
      expect(all).toMatchObject({
        combines: null,
        grains: ['day'],
        choose: ['country', 'device'],
        totals: null,
        row_total: null,
        series: [],
        other: null,
      })
      const byOne = await read(shop, `?${window}&by=country`)
      expect(byOne).toMatchObject({ totals: null, series: [], choose: ['device'] })
      const chosen = await read(shop, `?${window}&by=country&where.device=phone`)
      expect(chosen).toMatchObject({ totals: null, row_total: null, choose: [] })
      expect(chosen.series).toEqual([
        { key: 'SE', values: ['1', '1'], row_total: null },
        { key: 'NO', values: [null, '1'], row_total: null },
      ])
      const single = await read(shop, `?${window}&where.device=phone&where.country=SE`)
      expect(single).toMatchObject({ totals: ['1', '1'], row_total: null, choose: [] })
      const weeks = await shop.reader.get(`${shop.report}?grain=week`)
      expect([weeks.status, weeks.body.field]).toEqual([400, 'grain'])
    }
  })

  test('the least of days is the least, and what is beyond eight series is left out', async () => {
    const shop = await openShop({ metrics: [testMetric({ aggregation: 'min', group_by: ['country'] })] })
    const rows = Array.from({ length: 10 }, (_, index) => ({
      at: `2026-02-${10 + index}`,
      amount: `${100 - index}`,
      country: `c${index}`,
    }))
    await deliver(shop, rows)
    const report = await read(shop, '?grain=month&by=country&from=2026-02-01&to=2026-03-01')
    expect(report).toMatchObject({ totals: ['91'], row_total: '91', other: null, left_out: 2 })
    expect(report.series.map(({ key }: { key: string }) => key)).toEqual([
      'c0',
      'c1',
      'c2',
      'c3',
      'c4',
      'c5',
      'c6',
      'c7',
    ])
  })

  test('more than 5,000 samples of 50 labels are all counted: eight series and the others together', async () => {
    const shop = await openShop(byCountry)
    const rows = Array.from({ length: 50 * 120 }, (_, index) => {
      const day = new Date(Date.UTC(2025, 10, 1 + Math.floor(index / 50))).toISOString().slice(0, 10)
      const label = index % 50
      return { at: day, amount: `${label % 2 === 0 ? '' : '-'}${label}.5`, country: `k${label}` }
    })
    await deliver(shop, rows)
    const report = await read(shop, '?by=country&from=2025-11-01&to=2026-03-01')
    expect(report).toMatchObject({ complete: true, left_out: 0 })
    expect(report.periods).toHaveLength(120)
    // The largest by their absolute values.
    const keys = ['k49', 'k48', 'k47', 'k46', 'k45', 'k44', 'k43', 'k42']
    expect(report.series.map(({ key }: { key: string }) => key)).toEqual(keys)
    const amountsOf = (ofKeys: (key: string) => boolean, day?: string): string[] =>
      rows
        .filter(({ at, country }) => ofKeys(country) && (day === undefined || at === day))
        .map(({ amount }) => amount)
    expect(report.other).toMatchObject({
      label_values: 42,
      row_total: addUp(amountsOf((key) => !keys.includes(key))),
    })
    expect(report.other.values[7]).toBe(addUp(amountsOf((key) => !keys.includes(key), '2025-11-08')))
    expect(report.row_total).toBe(addUp(amountsOf(() => true)))
    expect(report.labels).toEqual([
      {
        name: 'country',
        values: rows
          .slice(0, 50)
          .map(({ country }) => country)
          .toSorted(),
        more: false,
      },
    ])
  })

  test('label filters leave out what they do not name, and the labels stay listed', async () => {
    const shop = await openShop({ metrics: [testMetric({ group_by: ['country', 'device'] })] })
    await deliver(shop, [
      { at: '2026-03-01', amount: '1', country: 'SE', device: 'phone' },
      { at: '2026-03-01', amount: '20', country: 'SE', device: 'desk' },
      { at: '2026-03-01', amount: '300', country: 'NO', device: 'phone' },
      { at: '2026-03-01', amount: '4000', country: 'DK', device: 'phone' },
      { at: '2026-03-01', amount: '50000', device: 'phone' },
    ])
    const total = async (query: string) =>
      (await read(shop, `?from=2026-03-01&to=2026-03-02&${query}`)).totals[0]
    expect(await total('')).toBe('54321')
    expect(await total('where.country=SE')).toBe('21')
    expect(await total('where.country=SE&where.country=NO')).toBe('321')
    expect(await total('where.country=SE&where.country=NO&where.device=phone')).toBe('301')
    expect(await total('where.country=')).toBe('50000')
    expect(await total('where.country=%22SE%22')).toBe(null)
    const filtered = await read(shop, '?where.country=SE&by=device')
    expect(filtered.where).toEqual({ country: ['SE'] })
    expect(filtered.labels).toEqual([
      { name: 'country', values: ['', 'DK', 'NO', 'SE'], more: false },
      { name: 'device', values: ['desk', 'phone'], more: false },
    ])
    expect(filtered.series.map(({ key }: { key: string }) => key)).toEqual(['desk', 'phone'])
  })

  test('what was sent as a test is in no report', async () => {
    const shop = await openShop()
    await deliver(shop, [{ at: '2026-03-01', amount: '1' }], { sandbox: true })
    expect((await read(shop, '?from=2026-03-01')).row_total).toBe(null)
    const { body } = await shop.reader.get(`${shop.company}/reports`)
    expect(body.reports[0]).toMatchObject({ latest: null, freshness: { last_received_at: null } })
  })
})

describe('periods', () => {
  test.for([
    ['Europe/Stockholm', '2026-01-31T22:59:59Z', '2026-01-01'],
    ['Europe/Stockholm', '2026-01-31T23:00:00Z', '2026-02-01'],
    // The nights in which the clock changes.
    ['Europe/Stockholm', '2025-10-31T22:30:00Z', '2025-10-01'],
    ['Europe/Stockholm', '2025-08-31T22:30:00Z', '2025-09-01'],
    ['America/New_York', '2026-02-01T04:59:59Z', '2026-01-01'],
    ['Pacific/Kiritimati', '2026-01-31T10:00:00Z', '2026-02-01'],
  ] as const)('in %s what happens at %s is of the month %s', async ([timeZone, at, month]) => {
    const shop = await openShop({}, timeZone)
    await deliver(shop, [{ at, amount: '1' }])
    const report = await read(shop, '?grain=month')
    expect(report.totals[monthOf(report, month)]).toBe('1')
  })

  test.for([
    ['2026-03-15T22:59:59Z', '2026-03-09'],
    ['2026-03-15T23:00:00Z', '2026-03-16'],
    ['2025-12-28T23:00:00Z', '2025-12-29'],
  ] as const)('in Stockholm what happens at %s is of the week from %s', async ([at, week]) => {
    context.clock.set('2026-03-20T12:00:00Z')
    const shop = await openShop()
    await deliver(shop, [{ at, amount: '1' }])
    const report = await read(shop, '?grain=week')
    expect(report.totals[monthOf(report, week)]).toBe('1')
  })

  test('a window is widened to whole periods, and the period that is going on is not finished', async () => {
    const shop = await openShop()
    await deliver(shop, [
      { at: '2026-01-02', amount: '1' },
      { at: '2026-03-15', amount: '2' },
    ])
    const report = await read(shop, '?grain=month&from=2026-01-20&to=2026-03-16')
    expect(report.window).toEqual({ from: '2026-01-01', to: '2026-04-01', max_days: 731, narrowed: false })
    expect(report.totals).toEqual(['1', null, '2'])
    // How far the numbers reach of what is going on.
    expect(report.periods.map(({ known_to: day }: { known_to: string }) => day)).toEqual([
      '2026-01-02',
      null,
      '2026-03-15',
    ])
    expect(
      report.periods.map(({ start, end, finished }: Record<string, unknown>) => [start, end, finished]),
    ).toEqual([
      ['2026-01-01', '2026-01-31', true],
      ['2026-02-01', '2026-02-28', true],
      ['2026-03-01', '2026-03-31', false],
    ])
    const days = await read(shop, '?from=2026-03-14')
    expect(days.periods.map(({ finished }: { finished: boolean }) => finished)).toEqual([true, false])
  })

  test('a month is finished at midnight in the company’s time zone', async () => {
    context.clock.set('2026-03-31T21:59:00Z')
    const shop = await openShop()
    expect((await read(shop, '?grain=month')).periods.at(-1)).toMatchObject({
      start: '2026-03-01',
      finished: false,
    })
    context.clock.set('2026-03-31T22:00:00Z')
    expect((await read(shop, '?grain=month')).periods.at(-2)).toMatchObject({
      start: '2026-03-01',
      finished: true,
    })
  })

  test('a window that is too wide is moved forward and marked', async () => {
    const shop = await openShop()
    const report = await read(shop, '?from=2019-01-01')
    expect(report.window).toEqual({ from: '2024-03-15', to: '2026-03-16', max_days: 731, narrowed: true })
    expect(report.periods).toHaveLength(731)
  })

  test('a year before: the same day, week number and month; a leap day and week 53 have none', async () => {
    context.clock.set('2027-01-20T12:00:00Z')
    const shop = await openShop()
    await deliver(shop, [
      { at: '2023-02-28', amount: '1' },
      { at: '2023-03-01', amount: '2' },
      { at: '2024-02-28', amount: '10' },
      { at: '2024-02-29', amount: '20' },
      { at: '2024-03-01', amount: '40' },
      // Weeks 52 and 53 of 2026, week 1 of 2027, and weeks 52 and 1 of the year before.
      { at: '2025-12-28', amount: '300' },
      { at: '2025-12-29', amount: '500' },
      { at: '2026-12-27', amount: '3000' },
      { at: '2026-12-28', amount: '5000' },
      { at: '2027-01-04', amount: '7000' },
    ])
    const days = await read(shop, '?compare=year&from=2024-02-28&to=2024-03-02')
    expect(days.totals).toEqual(['10', '20', '40'])
    expect(days.year_before).toEqual({
      starts: ['2023-02-28', null, '2023-03-01'],
      totals: ['1', null, '2'],
      row_total: '3',
    })
    const months = await read(shop, '?compare=year&grain=month&from=2024-02-01&to=2024-04-01')
    expect(months.year_before).toMatchObject({ totals: ['1', '2'], row_total: '3' })
    const weeks = await read(shop, '?compare=year&grain=week&from=2026-12-21&to=2027-01-11')
    expect(weeks.totals).toEqual(['3000', '5000', '7000'])
    expect(weeks.year_before).toEqual({
      starts: ['2025-12-22', null, '2025-12-29'],
      totals: ['300', null, '500'],
      row_total: '800',
    })
    expect((await read(shop)).year_before).toBe(null)
  })
})

/** Days of February 2026. */
const inFebruary = (...days: [day: number, country: string, amount: string][]): object[] =>
  days.map(([day, country, amount]) => ({
    at: `2026-02-${String(day).padStart(2, '0')}`,
    country,
    amount,
  }))

/** February, stated in two halves, and the second half stated again. */
const stateFebruary = async (shop: Shop): Promise<void> => {
  const first = inFebruary([1, 'SE', '10'], [2, 'SE', '20'], [2, 'NO', '5'])
  await deliver(shop, first, { receivedAt: '2026-02-03T06:00:00Z' })
  const second = inFebruary([14, 'SE', '100.25'], [15, 'NO', '7'])
  await deliver(shop, second, { receivedAt: '2026-03-01T06:00:00Z' })
  const again = inFebruary([14, 'SE', '150.5'], [15, 'SE', '1'])
  await deliver(shop, again, { receivedAt: '2026-03-10T06:00:00Z' })
}

const cards = async (shop: Shop, query = '') =>
  (await shop.reader.get(`${shop.company}/reports${query}`)).body

/** A row of an events source, and what each delivery of a trace has. */
const eventRow = (amount: string, customer: string, hour: number) => ({
  at: `2026-02-02T${hour}:00:00Z`,
  amount,
  customer,
})
/** A row of a day of February, whose label is missing where it is 0. */
const labelled = (day: number, label: number, amount: string) => ({
  at: `2026-02-0${day}`,
  amount,
  country: label === 0 ? '' : `k${label}`,
})
const traced = (fields: object) => ({
  shape_version: 1,
  added: null,
  event_at: null,
  rows_refused: 0,
  ...fields,
})

describe('what was known', () => {
  const february = '?grain=month&from=2026-02-01&to=2026-03-01'

  test('a restated period has its value just before, in days and in months', async () => {
    const shop = await openShop(statements)
    await stateFebruary(shop)
    const month = await read(shop, `${february}&by=country`)
    expect(month.totals).toEqual(['186.5'])
    expect(month.periods[0]).toMatchObject({
      restated: true,
      restated_at: '2026-03-10T06:00:00.000Z',
      was: '142.25',
    })
    const days = await read(shop, '?from=2026-02-14&to=2026-02-17')
    expect(days.periods.map(({ restated, was }: Record<string, unknown>) => [restated, was])).toEqual([
      [true, '100.25'],
      [true, '7'],
      [false, null],
    ])
    // A label that the earlier statement had not, and one that the later one has not.
    const ofSweden = await read(shop, '?from=2026-02-15&to=2026-02-16&where.country=SE')
    expect([ofSweden.totals[0], ofSweden.periods[0].was]).toEqual(['1', null])
    const ofNorway = await read(shop, '?from=2026-02-15&to=2026-02-16&where.country=NO')
    expect([ofNorway.totals[0], ofNorway.periods[0].was]).toEqual([null, '7'])
    expect(ofNorway.periods[0].known).toBe(true)
  })

  test('a period that is stated in parts is not restated', async () => {
    const shop = await openShop(statements)
    await deliver(shop, [{ at: '2026-02-01', amount: '1', country: 'SE' }])
    await deliver(shop, [{ at: '2026-02-02', amount: '2', country: 'SE' }])
    expect((await read(shop, february)).periods[0]).toMatchObject({ restated: false, was: null })
  })

  test('events are never restated', async () => {
    const shop = await openShop(byCountry)
    await deliver(shop, [{ at: '2026-02-01', amount: '1', country: 'SE' }])
    await deliver(shop, [{ at: '2026-02-01', amount: '2', country: 'SE' }])
    expect((await read(shop, february)).periods[0]).toMatchObject({
      restated: false,
      restated_at: null,
      was: null,
    })
  })

  test('a statements report is read as known at an instant, together with today’s values', async () => {
    const shop = await openShop(statements)
    await stateFebruary(shop)
    const at = async (instant: string) => read(shop, `${february}&by=country&as_of=${instant}`)
    expect(await at('2026-02-03T05:59:59Z')).toMatchObject({
      totals: [null],
      series: [],
      periods: [{ known: false, restated: false }],
      vintage_today: { totals: ['186.5'], row_total: '186.5' },
    })
    expect(await at('2026-02-03T06:00:00Z')).toMatchObject({ totals: ['35'] })
    const before = await at('2026-03-09T00:00:00%2B01:00')
    expect(before).toMatchObject({
      as_of: '2026-03-08T23:00:00.000Z',
      totals: ['142.25'],
      row_total: '142.25',
      periods: [{ known: true, restated: false, was: null }],
      vintage_today: { totals: ['186.5'] },
    })
    expect(before.series).toEqual([
      { key: 'SE', values: ['130.25'], row_total: '130.25' },
      { key: 'NO', values: ['12'], row_total: '12' },
    ])
    const after = await at('2026-03-10T06:00:00Z')
    expect(after).toMatchObject({ totals: ['186.5'], periods: [{ restated: true, was: '142.25' }] })
    expect((await read(shop, february)).vintage_today).toBe(null)
  })

  test.each(aggregationNames)(
    'an events report of %s reads as it was known at an instant',
    async (aggregation) => {
      const field = aggregation === 'count_distinct' ? 'customer' : 'amount'
      const shop = await openShop({ metrics: [testMetric({ aggregation, field })] })
      await deliver(shop, [eventRow('10', 'ada', 12), eventRow('3', 'bo', 11)], {
        receivedAt: '2026-02-03T00:00:00Z',
      })
      await deliver(shop, [eventRow('-4.5', 'ada', 13), eventRow('70', 'cy', 10)], {
        receivedAt: '2026-02-05T00:00:00Z',
      })
      const values: Record<Aggregation, [then: string, now: string]> = {
        sum: ['13', '78.5'],
        count: ['2', '4'],
        min: ['3', '-4.5'],
        max: ['10', '70'],
        count_distinct: ['2', '3'],
        last: ['10', '-4.5'],
      }
      const read1 = await read(shop, '?from=2026-02-02&to=2026-02-03&as_of=2026-02-04T00:00:00Z&compare=year')
      expect([read1.totals[0], read1.vintage_today.totals[0]]).toEqual(values[aggregation])
      expect(read1.year_before.totals).toEqual([null])
    },
  )
})

test.for([
  ['grain=year', 'grain'],
  ['from=2026-02-30', 'from'],
  ['from=2026-03-02&to=2026-03-02', 'from'],
  ['to=yesterday', 'to'],
  ['by=customer', 'by'],
  ['by=device', 'by'],
  ['where.device=x', 'where.device'],
  ['where.country=%00', 'where.country'],
  ['as_of=2026-03-01', 'as_of'],
  ['compare=month', 'compare'],
  [Array.from({ length: 201 }, (_, index) => `where.country=${index}`).join('&'), 'where.country'],
] as const)('%s is refused for its field %s', async ([query, field]) => {
  const shop = await openShop(byCountry)
  for (const path of [shop.report, `${shop.report}/file.csv`]) {
    const { status, body } = await shop.reader.get(`${path}?${query}`)
    expect([status, body.code, body.field]).toEqual([400, 'invalid_argument', field])
  }
})

test('another company’s reports, sources and metrics that are not there are 404', async () => {
  const shop = await openShop(byCountry)
  await deliver(shop, [{ at: '2026-03-01', amount: '1', country: 'SE' }])
  const elsewhere = await seedCompany(context)
  const stranger = await signInConsole(app, context, elsewhere.owner)
  const own = `/console/companies/${elsewhere.company.companyId}`
  const trace = `${shop.trace}&period_start=2026-03-01&label.country=SE`
  expect((await shop.reader.get(trace)).status).toBe(200)
  const paths = [shop.report, `${shop.report}/file.csv`, trace]
  for (const path of paths) {
    expect((await stranger.get(path)).status, path).toBe(404)
    expect((await stranger.get(path.replace(shop.company, own))).status, path).toBe(404)
    expect((await createConsoleClient(app).get(path)).status, path).toBe(401)
    const unknown = path.replace('revenue', 'active_users')
    expect((await shop.reader.get(unknown)).status, path).toBe(404)
  }
  expect((await stranger.get(`${shop.company}/reports`)).status).toBe(404)
  expect((await stranger.get(`${own}/reports`)).body.reports).toEqual([])
})

test('an unchanged report is not sent again, and a changed one is', async () => {
  const shop = await openShop()
  await deliver(shop, [{ at: '2026-03-01', amount: '1' }])
  for (const path of [`${shop.report}?from=2026-03-01`, `${shop.company}/reports`]) {
    const first = await shop.reader.get(path)
    const tag = { 'if-none-match': String(first.headers['etag']) }
    const again = await shop.reader.get(path, tag)
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, undefined, tag['if-none-match']])
    // As a proxy that compresses has made it.
    const weak = await shop.reader.get(path, { 'if-none-match': `W/${tag['if-none-match']}` })
    expect(weak.status).toBe(304)
    await deliver(shop, [{ at: '2026-03-01', amount: '1' }], { receivedAt: '2026-03-15T11:00:00Z' })
    const changed = await shop.reader.get(path, tag)
    expect(changed.status).toBe(200)
    expect(changed.body).not.toEqual(first.body)
  }
})

describe('files', () => {
  test('a file has the values of the report, in the digits that were kept', async () => {
    const shop = await openShop(statements)
    await deliver(shop, [
      { at: '2026-02-01', amount: '99999999999999999999.000000000000000001', country: '=SE' },
      { at: '2026-02-01', amount: '-1.5', country: 'NO' },
      { at: '2026-03-02', amount: '0', country: 'NO' },
    ])
    await deliver(shop, [{ at: '2026-03-02', amount: '2.50', country: 'NO' }])
    const query = '?grain=month&by=country&from=2026-01-01&compare=year'
    const english = await shop.reader.get(`${shop.report}/file.csv${query}`)
    expect(english.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="revenue-2026-01-01-2026-03-31.csv"',
    })
    expect(english.body.split('\r\n')).toEqual([
      `\uFEFF"First day","Last day","'=SE","NO","All","All, year before","All, before it was restated","Unfinished"`,
      '2026-01-01,2026-01-31,,,,,,',
      '2026-02-01,2026-02-28,99999999999999999999.000000000000000001,-1.5,99999999999999999997.500000000000000001,,,',
      '2026-03-01,2026-03-31,,2.5,2.5,,0,"yes"',
      '',
    ])
    const swedish = await shop.reader.get(`${shop.report}/file.csv${query}&language=sv`)
    expect(swedish.body).toContain(
      '2026-02-01;2026-02-28;99999999999999999999,000000000000000001;-1,5;99999999999999999997,500000000000000001;;;',
    )
  })
})

describe('trace', () => {
  test('a value of a statements report leads to its deliveries, with what counted then and counts now', async () => {
    const shop = await openShop(statements)
    const first = await deliver(
      shop,
      [...inFebruary([1, 'SE', '288793.75'], [13, 'NO', '9']), { at: 'nonsense' }],
      { receivedAt: '2026-02-15T06:02:00Z' },
    )
    const second = await deliver(shop, inFebruary([14, 'SE', '300000'], [28, 'SE', '15684']), {
      receivedAt: '2026-03-01T05:58:00Z',
    })
    const third = await deliver(shop, inFebruary([14, 'SE', '310000.6'], [28, 'SE', '21600']), {
      receivedAt: '2026-03-10T13:31:00Z',
    })
    const query = '&period_start=2026-02-01&grain=month&label.country=SE&as_of=2026-03-05T18:00:00Z'
    const { body } = await shop.reader.get(`${shop.trace}${query}`)
    expect(body).toEqual({
      source_id: shop.sourceId,
      metric: 'revenue',
      grain: 'month',
      period_start: '2026-02-01',
      period_end: '2026-02-28',
      labels: { country: ['SE'] },
      except: {},
      value: '620394.35',
      as_of: '2026-03-05T18:00:00.000Z',
      value_then: '604477.75',
      restated: true,
      delivery_visible: false,
      deliveries: [
        traced({
          artifact_id: third,
          received_at: '2026-03-10T13:31:00.000Z',
          value: '331600.6',
          rows: 2,
          covers: { from: '2026-02-14', to: '2026-02-28' },
          counts_now: '331600.6',
          counts_then: null,
          received_then: false,
          superseded: false,
          superseded_by: [],
        }),
        traced({
          artifact_id: second,
          received_at: '2026-03-01T05:58:00.000Z',
          value: '315684',
          rows: 2,
          covers: { from: '2026-02-14', to: '2026-02-28' },
          counts_now: null,
          counts_then: '315684',
          received_then: true,
          superseded: true,
          superseded_by: [third],
        }),
        traced({
          artifact_id: first,
          received_at: '2026-02-15T06:02:00.000Z',
          value: '288793.75',
          rows: 1,
          covers: { from: '2026-02-01', to: '2026-02-13' },
          counts_now: '288793.75',
          counts_then: '288793.75',
          received_then: true,
          superseded: false,
          superseded_by: [],
          rows_refused: 1,
        }),
      ],
      next_cursor: null,
    })
  })

  test('a statement that is restated in part counts in part', async () => {
    const shop = await openShop(statements)
    await deliver(shop, [
      { at: '2026-02-01', amount: '1', country: 'SE' },
      { at: '2026-02-02', amount: '20', country: 'SE' },
    ])
    const later = await deliver(shop, [{ at: '2026-02-02', amount: '300', country: 'NO' }])
    const { body } = await shop.reader.get(`${shop.trace}&period_start=2026-02-01&grain=month`)
    expect(body).toMatchObject({
      value: '301',
      value_then: null,
      as_of: null,
      deliveries: [
        { value: '300', counts_now: '300', counts_then: null, received_then: null },
        { value: '21', counts_now: '1', superseded: false, superseded_by: [later] },
      ],
    })
    // It says nothing of Sweden, and that is why there is no value.
    const ofSweden = await shop.reader.get(`${shop.trace}&period_start=2026-02-02&label.country=SE`)
    expect(ofSweden.body).toMatchObject({
      value: null,
      deliveries: [
        { artifact_id: later, value: null, rows: 0, counts_now: null },
        { value: '20', counts_now: null, superseded: true },
      ],
    })
  })

  test('what no statement ever said is not there', async () => {
    const shop = await openShop(statements)
    await deliver(shop, inFebruary([1, 'SE', '1']))
    const status = async (query: string) =>
      (await shop.reader.get(`${shop.trace}&period_start=2026-02-01${query}`)).status
    expect(await status('')).toBe(200)
    expect(await status('&label.country=NO')).toBe(404)
    expect(await status('&label.country=NO&label.country=SE')).toBe(200)
  })

  test('a value of an events report is the sum of its deliveries’ contributions, page by page', async () => {
    const shop = await openShop(byCountry)
    for (let index = 0; index < 7; index++) {
      await deliver(
        shop,
        [
          { at: `2026-02-0${1 + (index % 3)}`, amount: `${index}.5`, country: 'SE' },
          { at: '2026-02-01', amount: '-1', country: index % 2 === 0 ? 'NO' : 'DK' },
        ],
        { receivedAt: `2026-02-1${index}T00:00:00Z` },
      )
    }
    const path = `${shop.trace}&period_start=2026-02-01&grain=month&label.country=SE&label.country=NO&limit=3&as_of=2026-02-13T12:00:00Z`
    const found: { value: string; counts_then: string | null; received_at: string }[] = []
    let cursor = ''
    let body
    do {
      ;({ body } = await shop.reader.get(`${path}${cursor}`))
      found.push(...body.deliveries)
      cursor = `&cursor=${body.next_cursor}`
    } while (body.next_cursor !== null)
    expect(found.map(({ value }) => value)).toEqual(['5.5', '5.5', '3.5', '3.5', '1.5', '1.5', '-0.5'])
    expect(body.value).toBe(addUp(found.map(({ value }) => value)))
    expect(body.value_then).toBe(addUp(found.map(({ counts_then: value }) => value ?? '0')))
    expect(found.map(({ received_at: at }) => at)).toEqual(
      found
        .map(({ received_at: at }) => at)
        .toSorted()
        .toReversed(),
    )
  })

  test.each(['events', 'statements'] as const)(
    'a value of all others together leads to the deliveries of %s behind it, and to no other',
    async (delivers) => {
      const shop = await openShop({ ...byCountry, delivers })
      // Eight large ones, and three small ones of which one lacks the label.
      const large = [1, 2, 3, 4, 5, 6, 7, 8].map((label) => labelled(1, label, `${label}000`))
      await deliver(shop, large, { receivedAt: '2026-02-02T00:00:00Z' })
      const small = [labelled(2, 0, '0.25'), labelled(2, 9, '10'), labelled(2, 1, '9')]
      const first = await deliver(shop, small, { receivedAt: '2026-02-03T00:00:00Z' })
      const second = await deliver(shop, [labelled(3, 10, '-2.5'), labelled(3, 9, '0.001')], {
        receivedAt: '2026-02-05T00:00:00Z',
      })
      const query = '&grain=month&as_of=2026-02-04T00:00:00Z'
      const report = await read(shop, `?by=country&from=2026-02-01&to=2026-03-01${query}`)
      expect(report.other).toMatchObject({ label_values: 2, values: ['10.25'] })
      const now = await read(shop, '?by=country&from=2026-02-01&to=2026-03-01&grain=month')
      expect(now.other).toMatchObject({ label_values: 3, values: ['7.751'] })
      const keys: string[] = now.series.map(({ key }: { key: string }) => key)
      const others = keys.map((key) => `&not.country=${key}`).join('')
      const { body } = await shop.reader.get(`${shop.trace}&period_start=2026-02-01${query}${others}`)
      expect(body).toMatchObject({
        labels: {},
        except: { country: keys },
        value: '7.751',
        value_then: '10.25',
      })
      expect(
        body.deliveries
          .filter(({ value }: { value: string | null }) => value !== null)
          .map((each: Record<string, unknown>) => [each['artifact_id'], each['value'], each['counts_now']]),
      ).toEqual([
        [second, '-2.499', '-2.499'],
        [first, '10.25', '10.25'],
      ])
      const wanted = `&label.country=k9&label.country=k1${others}`
      const both = await shop.reader.get(`${shop.trace}&period_start=2026-02-02${wanted}`)
      expect(both.body.value).toBe('10')
      const none = await shop.reader.get(`${shop.trace}&period_start=2026-02-01${others}`)
      expect(none.status).toBe(404)
    },
  )

  test('a distinct count is traced one cell at a time, with what each delivery added', async () => {
    const metrics = [testMetric({ aggregation: 'count_distinct', field: 'customer', group_by: ['country'] })]
    const shop = await openShop({ metrics })
    await deliver(shop, [{ at: '2026-02-01', customer: 'ada', country: 'SE' }])
    await deliver(shop, [
      { at: '2026-02-01', customer: 'ada', country: 'SE' },
      { at: '2026-02-01', customer: 'bo', country: 'SE' },
    ])
    const open = await shop.reader.get(`${shop.trace}&period_start=2026-02-01`)
    expect([open.status, open.body.field]).toEqual([400, 'label.country'])
    const { body } = await shop.reader.get(`${shop.trace}&period_start=2026-02-01&label.country=SE`)
    expect(body).toMatchObject({
      value: '2',
      deliveries: [
        { value: '2', added: 1 },
        { value: '1', added: 1 },
      ],
    })
  })

  test('developers may open the deliveries of a trace', async () => {
    const shop = await openShop()
    await deliver(shop, [{ at: '2026-02-01', amount: '1' }])
    const developer = await signInConsole(app, context, await seedMember(context, shop.companyId))
    const { body } = await developer.get(`${shop.trace}&period_start=2026-02-01`)
    expect(body.delivery_visible).toBe(true)
  })

  test.for([
    ['period_start=2026-02-02&grain=month', 400, 'period_start'],
    ['period_start=2026-02-30', 400, 'period_start'],
    ['period_start=2026-02-01&grain=year', 400, 'grain'],
    ['period_start=2026-02-01&label.device=x', 400, 'label.device'],
    ['period_start=2026-02-01&not.device=x', 400, 'not.device'],
    ['period_start=2026-02-01&not.country=%00', 400, 'not.country'],
    [
      `period_start=2026-02-01&${Array.from({ length: 201 }, (_, k) => `not.country=${k}`).join('&')}`,
      400,
      'not.country',
    ],
    ['period_start=2026-02-01&cursor=x', 400, 'cursor'],
    ['period_start=2026-02-01&limit=201', 400, 'limit'],
    ['period_start=2026-02-01&as_of=now', 400, 'as_of'],
    ['period_start=2026-02-05', 404, undefined],
    ['period_start=2026-02-01&label.country=NO', 404, undefined],
    ['period_start=2026-02-01&not.country=SE', 404, undefined],
  ] as const)('%s is answered with %s', async ([query, status, field]) => {
    const shop = await openShop(byCountry)
    await deliver(shop, [{ at: '2026-02-01', amount: '1', country: 'SE' }])
    const answer = await shop.reader.get(`${shop.trace}&${query}`)
    expect([answer.status, answer.body.field]).toEqual([status, field])
  })
})

describe('cards', () => {
  test('a card has the last finished month, those it is compared with, and what is going on', async () => {
    const shop = await openShop(byCountry)
    await deliver(shop, [
      { at: '2025-02-03', amount: '100', country: 'SE' },
      { at: '2026-01-31', amount: '-7', country: 'SE' },
      { at: '2026-02-01', amount: '1.25', country: 'SE' },
      { at: '2026-02-28', amount: '2', country: 'NO' },
      { at: '2026-03-14', amount: '5', country: 'NO' },
    ])
    const body = await cards(shop)
    expect(body).toMatchObject({ today: '2026-03-15', time_zone: 'Europe/Stockholm', next_cursor: null })
    expect(body.reports).toHaveLength(1)
    expect(body.reports[0]).toMatchObject({
      source_id: shop.sourceId,
      source_name: 'Shop',
      source_state: 'active',
      paused_at: null,
      paused_by: null,
      metric: 'revenue',
      name: 'Revenue',
      unit: 'SEK',
      aggregation: 'sum',
      combines: 'sum',
      period: 'day',
      grain: 'month',
      total: true,
      complete: true,
      restated_periods: [],
      latest: { period_start: '2026-02-01', value: '3.25', restated: false },
      previous: { period_start: '2026-01-01', value: '-7' },
      year_before: { period_start: '2025-02-01', value: '100' },
      unfinished: { period_start: '2026-03-01', value: '5' },
      freshness: { last_received_at: '2026-03-01T12:00:00.000Z', usual_seconds: null, late: false },
    })
    const { sparkline } = body.reports[0]
    expect(sparkline).toHaveLength(13)
    expect(sparkline[0]).toEqual({ period_start: '2025-03-01', value: null, finished: true })
    expect(
      sparkline.slice(-3).map(({ value, finished }: Record<string, unknown>) => [value, finished]),
    ).toEqual([
      ['-7', true],
      ['3.25', true],
      ['5', false],
    ])
  })

  test('a source that has been silent for years still has its last period', async () => {
    const shop = await openShop()
    await deliver(shop, [{ at: '2019-05-05', amount: '8' }])
    expect((await cards(shop)).reports[0]).toMatchObject({
      latest: { period_start: '2019-05-01', value: '8' },
      previous: { period_start: '2019-04-01', value: null },
      unfinished: { period_start: '2026-03-01', value: null },
    })
  })

  test('what is going on, and what lies ahead, is no finished period', async () => {
    const shop = await openShop()
    await deliver(shop, [
      { at: '2026-03-02', amount: '8' },
      { at: '2027-03-02', amount: '8' },
    ])
    expect((await cards(shop)).reports[0]).toMatchObject({
      latest: null,
      previous: null,
      year_before: null,
      unfinished: { value: '8' },
    })
  })

  test('a distinct count by label has no total', async () => {
    const shop = await openShop({
      metrics: [
        testMetric({
          metric: 'active_users',
          aggregation: 'count_distinct',
          field: 'customer',
          period: 'week',
          group_by: ['country'],
        }),
      ],
    })
    await deliver(shop, [{ at: '2026-03-03', customer: 'ada', country: 'SE' }])
    expect((await cards(shop)).reports[0]).toMatchObject({
      name: 'Active users',
      unit: 'count',
      grain: 'week',
      combines: null,
      total: false,
      latest: { period_start: '2026-03-02', value: null },
    })
  })

  test('a restated month is shown for a while', async () => {
    const shop = await openShop(statements)
    const rows = [{ at: '2026-01-10', amount: '1', country: 'SE' }]
    await deliver(shop, rows, { receivedAt: '2026-02-01T06:00:00Z' })
    await deliver(shop, rows, { receivedAt: '2026-02-20T06:00:00Z' })
    expect((await cards(shop)).reports[0]).toMatchObject({
      latest: { period_start: '2026-01-01', value: '1', restated: true },
      restated_periods: [{ period_start: '2026-01-01', restated_at: '2026-02-20T06:00:00.000Z' }],
    })
    context.clock.set('2026-05-15T12:00:00Z')
    const later = { ...shop, reader: await shop.signInAgain() }
    expect((await cards(later)).reports[0]).toMatchObject({
      latest: { restated: true },
      restated_periods: [],
    })
  })

  test('a paused source shows when and by whom it was paused, without any change of its samples', async () => {
    const shop = await openShop()
    await deliver(shop, [{ at: '2026-02-01', amount: '1' }])
    const person = await seedMember(context, shop.companyId)
    const developer = await signInConsole(app, context, person)
    const source = `${shop.company}/sources/${shop.sourceId}`
    const before = await shop.reader.get(`${shop.company}/reports`)
    await developer.post(`${source}/pause`)
    const tag = { 'if-none-match': String(before.headers['etag']) }
    const { status, body } = await shop.reader.get(`${shop.company}/reports`, tag)
    expect(status).toBe(200)
    expect(body.reports[0]).toMatchObject({
      source_state: 'paused',
      paused_at: '2026-03-15T12:00:00.000Z',
      paused_by: { member_id: person.memberId, name: 'Test Testsson' },
      latest: { value: '1' },
    })
    await developer.post(`${source}/resume`)
    const active = { source_state: 'active', paused_at: null, paused_by: null }
    expect((await cards(shop)).reports[0]).toMatchObject(active)
    await pauseSource(context, 'operator', shop.companyId, shop.sourceId)
    expect((await cards(shop)).reports[0]).toMatchObject({ source_state: 'paused', paused_by: null })
  })

  test('a source is late by its own rhythm; test deliveries do not count', async () => {
    const shop = await openShop()
    for (const day of ['01', '02', '03', '04']) {
      await deliver(shop, [], { receivedAt: `2026-03-${day}T06:00:00Z` })
    }
    await deliver(shop, [], { receivedAt: '2026-03-07T06:00:00Z', sandbox: true })
    const freshness = async () => (await cards(shop)).reports[0].freshness
    const usual = { last_received_at: '2026-03-04T06:00:00.000Z', usual_seconds: 86_400 }
    context.clock.set('2026-03-07T06:00:00Z')
    expect(await freshness()).toEqual({ ...usual, late: false })
    context.clock.set('2026-03-07T06:00:01Z')
    expect(await freshness()).toEqual({ ...usual, late: true })
  })

  test('reports come source by source, page by page', async () => {
    const shop = await openShop()
    const metrics = [
      testMetric(),
      testMetric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer' }),
    ]
    // Ids are in the order of time.
    context.clock.advance(1_000)
    const second = await seedSource(context, shop.companyId, { name: 'Second', metrics })
    const first = await cards(shop, '?limit=1')
    expect(first.reports.map(({ source_name: name }: Record<string, unknown>) => name)).toEqual(['Shop'])
    const next = await cards(shop, `?limit=1&cursor=${first.next_cursor}`)
    expect(next.reports.map(({ source_id: id, metric }: Record<string, unknown>) => [id, metric])).toEqual([
      [second.sourceId, 'revenue'],
      [second.sourceId, 'active_users'],
    ])
    expect(next.next_cursor).toBe(null)
    const { status, body } = await shop.reader.get(`${shop.company}/reports?limit=101`)
    expect([status, body.field]).toEqual([400, 'limit'])
  })
})

test('reports come in the order of the sources, even if not all are read concurrently', async () => {
  const shop = await openShop()
  const expected = [shop.sourceId]
  for (let index = 0; index < 2 * sourcesReadAtOnceMax; index++) {
    // Ids are in the order of time.
    context.clock.advance(1_000)
    const { sourceId } = await seedSource(context, shop.companyId, { metrics: [testMetric()] })
    expected.push(sourceId)
    await deliver({ ...shop, sourceId }, [{ at: '2026-02-01', amount: `${index}` }])
  }
  const { reports } = await cards(shop)
  expect(reports.map(({ source_id: id }: { source_id: string }) => id)).toEqual(expected)
  expect(reports.map(({ latest }: { latest: { value: string } | null }) => latest?.value)).toEqual([
    undefined,
    ...expected.slice(1).map((_id, index) => String(index)),
  ])
})

const toSubject = ({ companyId, sourceId }: Shop): ValuesSubject => {
  const metric = testMetric({ group_by: ['country'] })
  return { companyId, sourceId, projectionId: 1, delivers: 'events', metric }
}
const toDayNumber = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000

describe('many samples', () => {
  test('of more samples than are counted the oldest whole periods are left out, and never the newest', async () => {
    const shop = await openShop(byCountry)
    const rows = ['2026-01-05', '2026-01-20', '2026-02-05', '2026-02-20', '2026-03-05'].flatMap((at) =>
      ['SE', 'NO'].map((country) => ({ at, amount: '1', country })),
    )
    await deliver(shop, rows)
    const months = periodsFrom('month', toDayNumber('2026-01-01'), toDayNumber('2026-04-30'))
    const cutAt = (cellsMax: number) => countPeriodsCut(database.pool, toSubject(shop), months, cellsMax)
    expect(await cutAt(10)).toBe(0)
    // The tenth newest is of January.
    expect(await cutAt(9)).toBe(1)
    expect(await cutAt(6)).toBe(1)
    expect(await cutAt(5)).toBe(2)
    expect(await cutAt(1)).toBe(2)
  })

  test('a value of too many samples is not traced', async () => {
    const shop = await openShop(byCountry)
    const add = (from: number, to: number) =>
      database.pool.query(
        `insert into samples (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value,
           artifact_id, receive_number)
         select $1, gen_random_uuid(), $2, 1, false, '2026-02-03', 'revenue', '{"country":"' || label || '"}', 1,
           gen_random_uuid(), 1
         from generate_series($3::int4, $4::int4) as label`,
        [shop.companyId, shop.sourceId, from, to],
      )
    const trace = `${shop.trace}&period_start=2026-02-01&grain=month`
    await add(1, traceCellsMax)
    expect((await shop.reader.get(trace)).status).toBe(200)
    await add(traceCellsMax + 1, traceCellsMax + 1)
    const { status, body } = await shop.reader.get(trace)
    expect([status, body.field]).toEqual([400, 'grain'])
    const report = await read(shop, '?grain=month&by=country&from=2026-02-01&to=2026-03-01')
    expect(report).toMatchObject({ row_total: String(traceCellsMax + 1), complete: true })
    expect(report.labels[0]).toMatchObject({ more: true })
    expect(report.labels[0].values).toHaveLength(100)
  })
})

test('every statement of a report looks into its index, in each table that grows with deliveries', async () => {
  const { companyId, sourceId } = await openShop(byCountry)
  const { sourceId: otherId } = await seedSource(context, companyId)
  const sources = { companyId, sourceId, otherId }
  await fillReports(database.pool, sources, 20)
  const { planned, faults } = await findFaultyPlans(database.pool, sources, { mayReadWhole: false })
  expect(faults).toEqual({})
  expect(planned).toBeGreaterThan(10)
})
