import { describe, expect, test } from 'vitest'
import { fillReports, findFaultyPlans } from '../../../testing/in-process/report-plans.ts'
import { seedSource } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { sourcesReadAtOnceMax } from './list-reports.ts'
import { countPeriodsCut, type ValuesSubject } from './read-values.ts'
import { periodsFrom } from './report-periods.ts'
import { traceCellsMax } from './trace-value.ts'
import {
  byCountry,
  startReportScene,
  readReport,
  readCards,
  type ReportedShop,
} from '../../../testing/in-process/scenes/report-scene.ts'

const { database, context, openShop, deliver } = await startReportScene()

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

const findMonth = (report: { periods: { start: string }[] }, start: string): number =>
  report.periods.findIndex((period) => period.start === start)

describe('values', () => {
  test('more than 5,000 samples of 50 labels are all counted: eight series and the others together', async () => {
    const shop = await openShop(byCountry)
    const rows = Array.from({ length: 50 * 120 }, (_, index) => {
      const day = new Date(Date.UTC(2025, 10, 1 + Math.floor(index / 50))).toISOString().slice(0, 10)
      const label = index % 50
      return { at: day, amount: `${label % 2 === 0 ? '' : '-'}${label}.5`, country: `k${label}` }
    })
    await deliver(shop, rows)
    const report = await readReport(shop, '?by=country&from=2025-11-01&to=2026-03-01')
    expect(report).toMatchObject({ complete: true, left_out: 0 })
    expect(report.periods).toHaveLength(120)
    // The largest by their absolute values.
    const keys = ['k49', 'k48', 'k47', 'k46', 'k45', 'k44', 'k43', 'k42']
    expect(report.series.map(({ key }: { key: string }) => key)).toEqual(keys)
    const toAmounts = (ofKeys: (key: string) => boolean, day?: string): string[] =>
      rows
        .filter(({ at, country }) => ofKeys(country) && (day === undefined || at === day))
        .map(({ amount }) => amount)
    expect(report.other).toMatchObject({
      label_values: 42,
      row_total: addUp(toAmounts((key) => !keys.includes(key))),
    })
    expect(report.other.values[7]).toBe(addUp(toAmounts((key) => !keys.includes(key), '2025-11-08')))
    expect(report.row_total).toBe(addUp(toAmounts(() => true)))
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
    const report = await readReport(shop, '?grain=month')
    expect(report.totals[findMonth(report, month)]).toBe('1')
  })

  test.for([
    ['2026-03-15T22:59:59Z', '2026-03-09'],
    ['2026-03-15T23:00:00Z', '2026-03-16'],
    ['2025-12-28T23:00:00Z', '2025-12-29'],
  ] as const)('in Stockholm what happens at %s is of the week from %s', async ([at, week]) => {
    context.clock.set('2026-03-20T12:00:00Z')
    const shop = await openShop()
    await deliver(shop, [{ at, amount: '1' }])
    const report = await readReport(shop, '?grain=week')
    expect(report.totals[findMonth(report, week)]).toBe('1')
  })
})
/** A row of a day of February, whose label is missing where it is 0. */
const labelled = (day: number, label: number, amount: string) => ({
  at: `2026-02-0${day}`,
  amount,
  country: label === 0 ? '' : `k${label}`,
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

describe('trace', () => {
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
      const report = await readReport(shop, `?by=country&from=2026-02-01&to=2026-03-01${query}`)
      expect(report.other).toMatchObject({ label_values: 2, values: ['10.25'] })
      const now = await readReport(shop, '?by=country&from=2026-02-01&to=2026-03-01&grain=month')
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
  const { reports } = await readCards(shop)
  expect(reports.map(({ source_id: id }: { source_id: string }) => id)).toEqual(expected)
  expect(reports.map(({ latest }: { latest: { value: string } | null }) => latest?.value)).toEqual([
    undefined,
    ...expected.slice(1).map((_id, index) => String(index)),
  ])
})

const toSubject = ({ companyId, sourceId }: ReportedShop): ValuesSubject => {
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
    const report = await readReport(shop, '?grain=month&by=country&from=2026-02-01&to=2026-03-01')
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
