import { expect, test } from 'vitest'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { startReportScene } from '../../../testing/in-process/scenes/report-scene.ts'
import { seedSource } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { addSource, readCombined } from '../../../testing/in-process/scenes/view-scene.ts'

const { context, app, openShop, deliver } = await startReportScene()

const users = (period: 'day' | 'month', labels: string[] = []): Partial<Declaration> => ({
  fields: testFields,
  metrics: [
    testMetric({
      metric: 'active_users',
      aggregation: 'count_distinct',
      field: 'customer',
      period,
      group_by: labels,
    }),
  ],
})

/** A shop with a ledger beside it, and distinct users by month. */
const openCompany = async () => {
  const shop = await openShop()
  const ledger = await addSource(context, shop, 'Ledger')
  const visits = await addSource(context, shop, 'Visits', users('month'))
  await deliver(shop, [
    { at: '2025-02-10', amount: '40' },
    { at: '2026-01-10', amount: '99999999999999999999.01' },
    { at: '2026-02-10', amount: '10.10' },
  ])
  await deliver(ledger, [
    { at: '2026-02-11', amount: '0.000000000000000001' },
    { at: '2026-02-28', amount: '-3' },
    { at: '2026-03-02', amount: '5' },
  ])
  await deliver(visits, [
    { at: '2026-02-01', customer: 'ada' },
    { at: '2026-02-02', customer: 'ada' },
    { at: '2026-02-03', customer: 'bo' },
    { at: '2026-02-03', customer: 'cy' },
  ])
  const revenue = `${shop.sourceId}.revenue`
  const booked = `${ledger.sourceId}.revenue`
  const active = `${visits.sourceId}.active_users`
  return { shop, ledger, visits, revenue, booked, active }
}

const valuesOf = (figures: { value: string | null }[]) => figures.map(({ value }) => value)

test('sources are added up exactly, and the answer says which of them have no figure', async () => {
  const { shop, revenue, booked } = await openCompany()
  const report = await readCombined(
    shop,
    [`${revenue},${booked}`],
    'from=2026-01-01&to=2026-04-01&compare=year',
  )
  expect(report).toMatchObject({ grain: 'month', grains: ['day', 'week', 'month'], complete: true })
  expect(report.periods.map(({ start }: { start: string }) => start)).toEqual([
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
  ])
  const [line] = report.lines
  expect(line).toMatchObject({ unit: 'SEK', denominator_unit: null, denominator: null })
  expect(line.numerator.map((each: { source_name: string }) => each.source_name)).toEqual(['Shop', 'Ledger'])
  expect(valuesOf(line.values)).toEqual(['99999999999999999999.01', '7.100000000000000001', '5'])
  expect(line.values.map(({ missing }: { missing: string[] }) => missing)).toEqual([[booked], [], [revenue]])
  expect(line.total).toMatchObject({ value: '100000000000000000011.110000000000000001', periods: 3 })
  expect(report.year_before_starts).toEqual(['2025-01-01', '2025-02-01', '2025-03-01'])
  expect(line.year_before).toMatchObject([
    { value: null, reason: 'no_value', missing: [] },
    { value: '40', missing: [booked] },
    { value: null, reason: 'no_value' },
  ])
})

test('an unfinished month is compared with the same days a year before', async () => {
  const { shop, revenue } = await openCompany()
  await deliver(shop, [
    { at: '2025-03-15', amount: '7' },
    { at: '2025-03-16', amount: '8' },
  ])
  const report = await readCombined(shop, [revenue], 'from=2026-03-01&to=2026-04-01&grain=month&compare=year')
  expect(valuesOf(report.lines[0].year_before)).toEqual(['7'])
})

test('revenue per active user is a fraction, rounded for display alone', async () => {
  const { shop, revenue, booked, active } = await openCompany()
  const report = await readCombined(shop, [`${revenue},${booked}/${active}`, active], 'from=2026-02-01')
  expect(report).toMatchObject({ grain: 'month', grains: ['month'] })
  const [ratio, alone] = report.lines
  expect(ratio).toMatchObject({ unit: 'SEK', denominator_unit: 'count', total: null })
  expect(ratio.values).toEqual([
    {
      value: '2.3667',
      numerator: '7.100000000000000001',
      denominator: '3',
      reason: null,
      missing: [],
    },
    {
      value: null,
      numerator: '5',
      denominator: null,
      reason: 'no_denominator',
      missing: [revenue],
    },
  ])
  expect(valuesOf(alone.values)).toEqual(['3', null])
})

test('what is divided by zero has no value, and says so', async () => {
  const { shop, ledger, revenue, booked } = await openCompany()
  await deliver(ledger, [{ at: '2026-03-03', amount: '-5' }])
  await deliver(shop, [{ at: '2026-03-03', amount: '8' }])
  const report = await readCombined(shop, [`${revenue}/${booked}`], 'from=2026-01-01')
  expect(report.lines[0].values).toMatchObject([
    { value: null, reason: 'no_denominator' },
    { value: '-3.3667', reason: null },
    { value: null, numerator: '8', denominator: '0', reason: 'zero_denominator' },
  ])
  // Of the months that have both: (10.10 + 8) / (-2.999999999999999999 + 0).
  expect(report.lines[0].total).toMatchObject({ numerator: '18.1', periods: 2, value: '-6.0333' })
})

test('an earlier instant has what was known then', async () => {
  const { shop, revenue, booked } = await openCompany()
  await deliver(shop, [{ at: '2026-02-12', amount: '1' }], { receivedAt: '2026-03-10T12:00:00Z' })
  const query = 'from=2026-02-01&to=2026-03-01'
  const values = async (more: string) =>
    valuesOf((await readCombined(shop, [`${revenue},${booked}`], query + more)).lines[0].values)
  expect(await values('')).toEqual(['8.100000000000000001'])
  expect(await values('&as_of=2026-03-05T00:00:00Z')).toEqual(['7.100000000000000001'])
})

test('an unchanged report is sent once, and a delivery to any of its sources renews it', async () => {
  const { shop, ledger, revenue, booked } = await openCompany()
  const path = `${shop.company}/combined-report?line=${revenue},${booked}&from=2026-03-01`
  const first = await shop.reader.get(path)
  const again = await shop.reader.get(path, { 'if-none-match': String(first.headers['etag']) })
  expect(again.status).toBe(304)
  await deliver(ledger, [{ at: '2026-03-04', amount: '2' }])
  const renewed = await shop.reader.get(path, { 'if-none-match': String(first.headers['etag']) })
  expect(renewed.body.lines[0].values).toMatchObject([{ value: '7' }])
})

test('what does not go together is refused with a sentence and its field', async () => {
  const { shop, visits, revenue, booked, active } = await openCompany()
  const daily = await addSource(context, shop, 'Daily', users('day'))
  const labelled = await addSource(context, shop, 'Labelled', users('month', ['country']))
  const many = Array.from({ length: 13 }, (_operand, index) =>
    revenue.replace(/^.{8}/, String(10_000_000 + index)),
  )
  const cases: [lines: string[], field: string, sentence: string][] = [
    [[], 'line', 'Give 1 to 4 lines.'],
    [[revenue, booked, active, revenue, booked], 'line', 'Give 1 to 4 lines.'],
    [['revenue'], 'line', 'Line 1: each operand is a source id, a point and a metric’s key.'],
    [[revenue, `${revenue}/${booked}/${active}`], 'line', 'Line 2: it has more than one slash.'],
    [[`${revenue},${revenue}`], 'line', 'Line 1: a metric is named twice in one sum, and would count twice.'],
    [[many.join(',')], 'line', 'Line 1: at most 12 metrics are added up.'],
    [[`${revenue},${active}`], 'line', 'Line 1: SEK and count cannot be added up.'],
    [
      [`${active},${daily.sourceId}.active_users`],
      'line',
      'Line 1: Active users is not a sum or a count, so it cannot be added to another metric.',
    ],
    [
      [`${labelled.sourceId}.active_users`],
      'line',
      'Line 1: Active users is counted by label there, and never added up.',
    ],
    [
      [active, `${daily.sourceId}.active_users`],
      'line',
      'These metrics have no period in common: they are counted by month and by day.',
    ],
  ]
  for (const [lines, field, message] of cases) {
    const query = lines.map((line) => `line=${encodeURIComponent(line)}`).join('&')
    const { status, body } = await shop.reader.get(`${shop.company}/combined-report?${query}`)
    expect([status, body.field, body.message]).toEqual([400, field, message])
  }
  const { body } = await shop.reader.get(`${shop.company}/combined-report?line=${active}&grain=day`)
  expect(body).toMatchObject({ field: 'grain', message: 'These metrics are read together by month.' })
  for (const unknown of [`${shop.companyId}.revenue`, `${visits.sourceId}.revenue`]) {
    expect(await shop.reader.get(`${shop.company}/combined-report?line=${unknown}`)).toMatchObject({
      status: 404,
    })
  }
})

test('sources of another company are not found', async () => {
  const { revenue } = await openCompany()
  const { company, owner } = await seedScene(context)
  await seedSource(context, company.companyId)
  const stranger = await signInConsole(app, context, owner)
  const path = `/console/companies/${company.companyId}/combined-report?line=${revenue}`
  expect(await stranger.get(path)).toMatchObject({ status: 404 })
})
