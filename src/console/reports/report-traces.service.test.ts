import { describe, expect, test } from 'vitest'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedMember } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { byCountry, startReportScene, statements } from '../../../testing/in-process/scenes/report-scene.ts'

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

/** Days of February 2026. */
const inFebruary = (...days: [day: number, country: string, amount: string][]): object[] =>
  days.map(([day, country, amount]) => ({
    at: `2026-02-${String(day).padStart(2, '0')}`,
    country,
    amount,
  }))
const traced = (fields: object) => ({
  shape_version: 1,
  added: null,
  event_at: null,
  rows_refused: 0,
  step: null,
  replaces: [],
  running: null,
  ...fields,
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
          step: '15916.6',
          replaces: [second],
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
        // Of the second day alone, which is all that it is about.
        { value: '300', counts_now: '300', counts_then: null, received_then: null, step: '280' },
        { value: '21', counts_now: '1', superseded: false, superseded_by: [later], step: null },
      ],
    })
    // It says nothing of Sweden, and that is why there is no value.
    const ofSweden = await shop.reader.get(`${shop.trace}&period_start=2026-02-02&label.country=SE`)
    expect(ofSweden.body).toMatchObject({
      value: null,
      deliveries: [
        { artifact_id: later, value: null, rows: 0, counts_now: null, step: '-20' },
        { value: '20', counts_now: null, superseded: true },
      ],
    })
  })

  test('the step to each statement of a period is right across pages', async () => {
    const shop = await openShop(statements)
    for (const amount of ['10', '7.5', '7.5', '0', '100.25'])
      await deliver(shop, inFebruary([1, 'SE', amount]))
    const steps: (string | null)[] = []
    let cursor = ''
    do {
      const { body } = await shop.reader.get(`${shop.trace}&period_start=2026-02-01&limit=2${cursor}`)
      steps.push(...body.deliveries.map((each: { step: string | null }) => each.step))
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    expect(steps).toEqual(['100.25', '-7.5', '0', '-2.5', null])
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
    const found: { value: string; counts_then: string | null; received_at: string; running: string }[] = []
    let cursor = ''
    let body
    do {
      ;({ body } = await shop.reader.get(`${path}${cursor}`))
      found.push(...body.deliveries)
      cursor = `&cursor=${body.next_cursor}`
    } while (body.next_cursor !== null)
    expect(found.map(({ value }) => value)).toEqual(['5.5', '5.5', '3.5', '3.5', '1.5', '1.5', '-0.5'])
    expect(body.value).toBe(addUp(found.map(({ value }) => value)))
    for (const [index, { running }] of found.entries()) {
      expect(running).toBe(addUp(found.slice(index).map(({ value }) => value)))
    }
    expect(body.value_then).toBe(addUp(found.map(({ counts_then: value }) => value ?? '0')))
    expect(found.map(({ received_at: at }) => at)).toEqual(
      found
        .map(({ received_at: at }) => at)
        .toSorted()
        .toReversed(),
    )
  })

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
})
