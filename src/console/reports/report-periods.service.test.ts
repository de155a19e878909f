import { type Aggregation, aggregationNames } from '../../engine/aggregations/aggregations.ts'
import { describe, expect, test } from 'vitest'
import { testMetric } from '../../../testing/in-process/source.ts'
import {
  byCountry,
  startReportScene,
  readReport,
  statements,
  type ReportedShop,
} from '../../../testing/in-process/scenes/report-scene.ts'

const { context, openShop, deliver } = await startReportScene()

describe('periods', () => {
  test('a window is widened to whole periods, and the period that is going on is not finished', async () => {
    const shop = await openShop()
    await deliver(shop, [
      { at: '2026-01-02', amount: '1' },
      { at: '2026-03-15', amount: '2' },
    ])
    const report = await readReport(shop, '?grain=month&from=2026-01-20&to=2026-03-16')
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
    const days = await readReport(shop, '?from=2026-03-14')
    expect(days.periods.map(({ finished }: { finished: boolean }) => finished)).toEqual([true, false])
  })

  test('a month is finished at midnight in the company’s time zone', async () => {
    context.clock.set('2026-03-31T21:59:00Z')
    const shop = await openShop()
    expect((await readReport(shop, '?grain=month')).periods.at(-1)).toMatchObject({
      start: '2026-03-01',
      finished: false,
    })
    context.clock.set('2026-03-31T22:00:00Z')
    expect((await readReport(shop, '?grain=month')).periods.at(-2)).toMatchObject({
      start: '2026-03-01',
      finished: true,
    })
  })

  test('a window that is too wide is moved forward and marked', async () => {
    const shop = await openShop()
    const report = await readReport(shop, '?from=2019-01-01')
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
    const days = await readReport(shop, '?compare=year&from=2024-02-28&to=2024-03-02')
    expect(days.totals).toEqual(['10', '20', '40'])
    expect(days.year_before).toEqual({
      starts: ['2023-02-28', null, '2023-03-01'],
      ends: ['2023-02-28', null, '2023-03-01'],
      compared: 2,
      totals: ['1', null, '2'],
      row_total: '3',
      compared_total: '50',
    })
    const months = await readReport(shop, '?compare=year&grain=month&from=2024-02-01&to=2024-04-01')
    expect(months.year_before).toMatchObject({ totals: ['1', '2'], row_total: '3' })
    const weeks = await readReport(shop, '?compare=year&grain=week&from=2026-12-21&to=2027-01-11')
    expect(weeks.totals).toEqual(['3000', '5000', '7000'])
    expect(weeks.year_before).toEqual({
      starts: ['2025-12-22', null, '2025-12-29'],
      ends: ['2025-12-28', null, '2026-01-04'],
      compared: 2,
      totals: ['300', null, '500'],
      row_total: '800',
      compared_total: '10000',
    })
    expect((await readReport(shop)).year_before).toBe(null)
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
const stateFebruary = async (shop: ReportedShop): Promise<void> => {
  const first = inFebruary([1, 'SE', '10'], [2, 'SE', '20'], [2, 'NO', '5'])
  await deliver(shop, first, { receivedAt: '2026-02-03T06:00:00Z' })
  const second = inFebruary([14, 'SE', '100.25'], [15, 'NO', '7'])
  await deliver(shop, second, { receivedAt: '2026-03-01T06:00:00Z' })
  const again = inFebruary([14, 'SE', '150.5'], [15, 'SE', '1'])
  await deliver(shop, again, { receivedAt: '2026-03-10T06:00:00Z' })
}

/** A row of an events source, and what each delivery of a trace has. */
const eventRow = (amount: string, customer: string, hour: number) => ({
  at: `2026-02-02T${hour}:00:00Z`,
  amount,
  customer,
})

describe('what was known', () => {
  const february = '?grain=month&from=2026-02-01&to=2026-03-01'

  test('a restated period has its value just before, in days and in months', async () => {
    const shop = await openShop(statements)
    await stateFebruary(shop)
    const month = await readReport(shop, `${february}&by=country`)
    expect(month.totals).toEqual(['186.5'])
    expect(month.periods[0]).toMatchObject({
      restated: 'corrected',
      restated_at: '2026-03-10T06:00:00.000Z',
      was: '142.25',
    })
    const days = await readReport(shop, '?from=2026-02-14&to=2026-02-17')
    expect(days.periods.map(({ restated, was }: Record<string, unknown>) => [restated, was])).toEqual([
      ['corrected', '100.25'],
      ['corrected', '7'],
      [null, null],
    ])
    // A label that the earlier statement had not, and one that the later one has not.
    const ofSweden = await readReport(shop, '?from=2026-02-15&to=2026-02-16&where.country=SE')
    expect([ofSweden.totals[0], ofSweden.periods[0].was]).toEqual(['1', null])
    const ofNorway = await readReport(shop, '?from=2026-02-15&to=2026-02-16&where.country=NO')
    expect([ofNorway.totals[0], ofNorway.periods[0].was]).toEqual([null, '7'])
    expect(ofNorway.periods[0].known).toBe(true)
  })

  test('a period that is stated in parts is not restated', async () => {
    const shop = await openShop(statements)
    await deliver(shop, [{ at: '2026-02-01', amount: '1', country: 'SE' }])
    await deliver(shop, [{ at: '2026-02-02', amount: '2', country: 'SE' }])
    expect((await readReport(shop, february)).periods[0]).toMatchObject({ restated: null, was: null })
  })

  test('events are never restated', async () => {
    const shop = await openShop(byCountry)
    await deliver(shop, [{ at: '2026-02-01', amount: '1', country: 'SE' }])
    await deliver(shop, [{ at: '2026-02-01', amount: '2', country: 'SE' }])
    expect((await readReport(shop, february)).periods[0]).toMatchObject({
      restated: null,
      restated_at: null,
      was: null,
    })
  })

  test('a statements report is read as known at an instant, together with today’s values', async () => {
    const shop = await openShop(statements)
    await stateFebruary(shop)
    const at = async (instant: string) => readReport(shop, `${february}&by=country&as_of=${instant}`)
    expect(await at('2026-02-03T05:59:59Z')).toMatchObject({
      totals: [null],
      series: [],
      periods: [{ known: false, restated: null }],
      vintage_today: { totals: ['186.5'], row_total: '186.5' },
    })
    expect(await at('2026-02-03T06:00:00Z')).toMatchObject({ totals: ['35'] })
    const before = await at('2026-03-09T00:00:00%2B01:00')
    expect(before).toMatchObject({
      as_of: '2026-03-08T23:00:00.000Z',
      totals: ['142.25'],
      row_total: '142.25',
      periods: [{ known: true, restated: null, was: null }],
      vintage_today: { totals: ['186.5'] },
    })
    expect(before.series).toEqual([
      { key: 'SE', values: ['130.25'], row_total: '130.25', year_before: null },
      { key: 'NO', values: ['12'], row_total: '12', year_before: null },
    ])
    const after = await at('2026-03-10T06:00:00Z')
    expect(after).toMatchObject({ totals: ['186.5'], periods: [{ restated: 'corrected', was: '142.25' }] })
    expect((await readReport(shop, february)).vintage_today).toBe(null)
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
      const read1 = await readReport(
        shop,
        '?from=2026-02-02&to=2026-02-03&as_of=2026-02-04T00:00:00Z&compare=year',
      )
      expect([read1.totals[0], read1.vintage_today.totals[0]]).toEqual(values[aggregation])
      expect(read1.year_before.totals).toEqual([null])
    },
  )
})
