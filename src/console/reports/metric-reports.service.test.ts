import { describe, expect, test } from 'vitest'
import { createConsoleClient, signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedCompany } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import {
  byCountry,
  startReportScene,
  readReport,
  statements,
} from '../../../testing/in-process/scenes/report-scene.ts'

const { context, app, openShop, deliver } = await startReportScene()

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
    for (const [grain, toStart] of [
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
      const report = await readReport(shop, `?grain=${grain}&by=country&from=2025-09-01&to=2026-03-16`)
      expect(report).toMatchObject({ grain, by: 'country', combines: 'sum', complete: true })
      for (const [place, { start }] of report.periods.entries()) {
        const inPeriod = rows.filter(({ at }) => toStart(at) === start)
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
    const report = await readReport(shop, '?from=2026-03-01&to=2026-03-05')
    expect(report.totals).toEqual(['0', null, '0', null])
    expect(report.periods.map(({ known }: { known: boolean }) => known)).toEqual([true, false, true, false])
    expect(report.row_total).toBe('0')
    const empty = await readReport(shop, '?from=2026-03-10')
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
      const all = await readReport(shop, `?${window}`)
      expect(all).toMatchObject({
        combines: null,
        grains: ['day'],
        choose: ['country', 'device'],
        totals: null,
        row_total: null,
        series: [],
        other: null,
      })
      const byOne = await readReport(shop, `?${window}&by=country`)
      expect(byOne).toMatchObject({ totals: null, series: [], choose: ['device'] })
      const chosen = await readReport(shop, `?${window}&by=country&where.device=phone`)
      expect(chosen).toMatchObject({ totals: null, row_total: null, choose: [] })
      expect(chosen.series).toEqual([
        { key: 'SE', values: ['1', '1'], row_total: null, year_before: null },
        { key: 'NO', values: [null, '1'], row_total: null, year_before: null },
      ])
      const single = await readReport(shop, `?${window}&where.device=phone&where.country=SE`)
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
    const report = await readReport(shop, '?grain=month&by=country&from=2026-02-01&to=2026-03-01')
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
      (await readReport(shop, `?from=2026-03-01&to=2026-03-02&${query}`)).totals[0]
    expect(await total('')).toBe('54321')
    expect(await total('where.country=SE')).toBe('21')
    expect(await total('where.country=SE&where.country=NO')).toBe('321')
    expect(await total('where.country=SE&where.country=NO&where.device=phone')).toBe('301')
    expect(await total('where.country=')).toBe('50000')
    expect(await total('where.country=%22SE%22')).toBe(null)
    const filtered = await readReport(shop, '?where.country=SE&by=device')
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
    expect((await readReport(shop, '?from=2026-03-01')).row_total).toBe(null)
    const { body } = await shop.reader.get(`${shop.company}/reports`)
    expect(body.reports[0]).toMatchObject({ latest: null, freshness: { last_received_at: null } })
  })
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
    const readAt = '2026-03-15T12:00:00.000Z'
    const english = await shop.reader.get(`${shop.report}/file.csv${query}`)
    expect(english.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[-A-Za-z0-9]+-Shop-revenue-2026-01-01-2026-03-31-20260315T1200Z[.]csv"; filename/,
      ),
    })
    expect(english.body.split('\r\n')).toEqual([
      `\uFEFF"First day","Last day","'=SE (SEK)","NO (SEK)","All (SEK)","All, year before (SEK)","All, before it was restated (SEK)","Unfinished","Read at"`,
      `2026-01-01,2026-01-31,,,,,,,${readAt}`,
      `2026-02-01,2026-02-28,99999999999999999999.000000000000000001,-1.5,99999999999999999997.500000000000000001,,,,${readAt}`,
      `2026-03-01,2026-03-31,,2.5,2.5,,0,"yes",${readAt}`,
      '',
    ])
    const swedish = await shop.reader.get(`${shop.report}/file.csv${query}&language=sv`)
    expect(swedish.body).toContain(
      '2026-02-01;2026-02-28;99999999999999999999,000000000000000001;-1,5;99999999999999999997,500000000000000001;;;',
    )
    // Who took them is in the company's audit.
    const { rows } = await context.pool.query(
      `select occurrences, subject_kind, subject_name is not null as named, details from audit_events
       where action = 'report_downloaded' and member_id is not null`,
    )
    expect(rows).toEqual([
      { occurrences: 2, subject_kind: 'source', named: true, details: { metric: 'revenue' } },
    ])
  })
})
