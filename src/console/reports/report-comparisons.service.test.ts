import { describe, expect, test } from 'vitest'
import { testMetric } from '../../../testing/in-process/source.ts'
import {
  byCountry,
  readCards,
  readReport,
  startReportScene,
  statements,
} from '../../../testing/in-process/scenes/report-scene.ts'

const { context, openShop, deliver } = await startReportScene()

const row = (at: string, amount: string, country = 'SE') => ({ at, amount, country })

describe('like with like', () => {
  test('an unfinished month is compared with the same days a year before, in report and card', async () => {
    const shop = await openShop(byCountry)
    await deliver(shop, [
      row('2025-02-03', '7'),
      row('2025-03-15', '10'),
      row('2025-03-16', '1000'),
      row('2026-02-01', '8'),
      row('2026-03-14', '12'),
    ])
    const months = await readReport(shop, '?grain=month&compare=year&from=2026-02-01')
    expect(months.year_before).toEqual({
      starts: ['2025-02-01', '2025-03-01'],
      ends: ['2025-02-28', '2025-03-15'],
      compared: 2,
      totals: ['7', '10'],
      row_total: '17',
      compared_total: '20',
    })
    // 15 March 2026 is a Sunday: the week is over with it. On the Saturday it has six days.
    context.clock.set('2026-03-14T12:00:00Z')
    const weeks = await readReport(shop, '?grain=week&compare=year&from=2026-03-09')
    expect([weeks.year_before.starts, weeks.year_before.ends]).toEqual([['2025-03-10'], ['2025-03-15']])
    expect((await readCards(shop)).reports[0].unfinished).toEqual({
      period_start: '2026-03-01',
      value: '12',
      year_before: { period_start: '2025-03-01', value: null, to: '2025-03-14' },
    })
    // As known on 2 March, two days had passed.
    const then = await readReport(
      shop,
      '?grain=month&compare=year&from=2026-03-01&as_of=2026-03-02T12:00:00Z',
    )
    expect(then.year_before.ends).toEqual(['2025-03-02'])
  })

  test('on a leap day the days before are compared with a whole February, and week 53 with nothing', async () => {
    context.clock.set('2026-12-30T12:00:00Z')
    const weeks = await readReport(await openShop(), '?grain=week&compare=year&from=2026-12-21')
    expect(weeks.year_before.ends).toEqual(['2025-12-28', null])
    context.clock.set('2028-02-29T12:00:00Z')
    const months = await readReport(await openShop(), '?grain=month&compare=year&from=2028-02-01')
    expect(months.year_before.ends).toEqual(['2027-02-28'])
  })

  test('part of a month that is not counted by day is compared with nothing', async () => {
    const shop = await openShop({ metrics: [testMetric({ period: 'month' })] })
    await deliver(shop, [row('2025-03-20', '1'), row('2026-03-02', '2')])
    const { totals, year_before } = await readReport(shop, '?compare=year&from=2026-02-01')
    expect([totals, year_before.totals, year_before.starts]).toEqual([
      [null, '2'],
      [null, null],
      ['2025-02-01', null],
    ])
  })

  test('sums over both years count only the periods with figures on both sides, label by label', async () => {
    const shop = await openShop(byCountry)
    await deliver(shop, [
      row('2024-12-05', '5', 'DK'),
      row('2025-01-05', '1'),
      row('2025-01-06', '0.5', 'NO'),
      row('2025-12-05', '2'),
      row('2025-12-06', '20', 'NO'),
      row('2026-01-05', '4'),
      row('2026-02-05', '100'),
    ])
    const report = await readReport(
      shop,
      '?grain=month&compare=year&by=country&from=2025-12-01&to=2026-03-01',
    )
    expect(report).toMatchObject({ totals: ['22', '4', '100'], row_total: '126' })
    expect(report.year_before).toMatchObject({
      totals: ['5', '1.5', null],
      compared: 2,
      row_total: '6.5',
      compared_total: '26',
    })
    expect(report.series).toEqual([
      {
        key: 'SE',
        values: ['2', '4', '100'],
        row_total: '106',
        year_before: { values: [null, '1', null], row_total: '1', compared_total: '6' },
      },
      {
        key: 'NO',
        values: ['20', null, null],
        row_total: '20',
        year_before: { values: [null, '0.5', null], row_total: '0.5', compared_total: '20' },
      },
      {
        key: 'DK',
        values: [null, null, null],
        row_total: null,
        year_before: { values: ['5', null, null], row_total: '5', compared_total: null },
      },
    ])
  })

  test('all others together have their year before', async () => {
    const shop = await openShop(byCountry)
    const countries = Array.from({ length: 10 }, (_each, index) => `C${index}`)
    await deliver(shop, [
      ...countries.map((country, index) => row('2026-02-01', String(100 - index), country)),
      ...countries.map((country, index) => row('2025-02-01', String(10 - index), country)),
    ])
    const report = await readReport(
      shop,
      '?grain=month&compare=year&by=country&from=2026-02-01&to=2026-03-01',
    )
    expect(report.other).toEqual({
      values: ['183'],
      row_total: '183',
      year_before: { values: ['3'], row_total: '3', compared_total: '183' },
      label_values: 2,
    })
  })
})

describe('restated', () => {
  const month = '?grain=month&from=2026-02-01&to=2026-03-01'
  const restated = async (shop: Awaited<ReturnType<typeof openShop>>) =>
    (await readReport(shop, month)).periods[0].restated

  test('a month that grew while it ran is not corrected by the statement that completes it, only by a later one', async () => {
    const shop = await openShop(statements)
    const soFar = row('2026-02-10', '1')
    await deliver(shop, [soFar], { receivedAt: '2026-02-11T06:00:00Z' })
    expect(await restated(shop)).toBe(null)
    await deliver(shop, [soFar, row('2026-02-20', '2')], { receivedAt: '2026-02-21T06:00:00Z' })
    expect(await restated(shop)).toBe('grew')
    // At 23:30 the day before in UTC, March has begun in Stockholm.
    const whole = [soFar, row('2026-02-20', '2'), row('2026-02-28', '4')]
    await deliver(shop, whole, { receivedAt: '2026-02-28T23:30:00Z' })
    expect(await restated(shop)).toBe('grew')
    expect((await readCards(shop)).reports[0].restated_periods).toEqual([])
    // The same again corrects nothing.
    await deliver(shop, whole, { receivedAt: '2026-03-05T06:00:00Z' })
    expect(await restated(shop)).toBe('grew')
    await deliver(shop, [row('2026-02-10', '1.5')], { receivedAt: '2026-03-09T06:00:00Z' })
    expect(await restated(shop)).toBe('corrected')
    expect((await readReport(shop, month)).periods[0].was).toBe('7')
    expect((await readCards(shop)).reports[0].restated_periods).toHaveLength(1)
    await deliver(shop, [row('2026-02-10', '1.5')], { receivedAt: '2026-03-10T06:00:00Z' })
    expect(await restated(shop)).toBe('corrected')
  })

  test('a first statement more than eight days after the end of a month that was stated before corrects it', async () => {
    const shop = await openShop(statements)
    await deliver(shop, [row('2026-02-10', '1')], { receivedAt: '2026-02-28T20:00:00Z' })
    await deliver(shop, [row('2026-02-10', '2')], { receivedAt: '2026-03-09T22:59:00Z' })
    expect(await restated(shop)).toBe('corrected')
    const weekly = await openShop(statements)
    await deliver(weekly, [row('2026-02-10', '1')], { receivedAt: '2026-02-28T20:00:00Z' })
    await deliver(weekly, [row('2026-02-10', '2')], { receivedAt: '2026-03-08T22:59:00Z' })
    expect(await restated(weekly)).toBe('grew')
  })
})
