import { describe, expect, test } from 'vitest'
import { saveSourceAsOperator } from '../../../testing/in-process/save-source.ts'
import {
  startReportScene,
  statements,
  type ReportedShop,
} from '../../../testing/in-process/scenes/report-scene.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedMember } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'

const { context, app, openShop, deliver } = await startReportScene()

const developerOf = async (shop: ReportedShop) =>
  signInConsole(app, context, await seedMember(context, shop.companyId))

/** Opens a shop, and calls what is under its deliveries as a developer. */
const open = async (...declaration: Parameters<typeof openShop>) => {
  const shop = await openShop(...declaration)
  const developer = await developerOf(shop)
  const call = (artifactId: string, path: string) =>
    developer.get(`${shop.company}/deliveries/${artifactId}/${path}`)
  const february = 'metric=revenue&period_start=2026-02-01&grain=month'
  return {
    shop,
    call,
    valueRows: (artifactId: string, query = '') => call(artifactId, `value-rows?${february}${query}`),
    difference: (artifactId: string, from: string, query = '') =>
      call(artifactId, `difference?${february}&with=${from}${query}`),
  }
}

const row = (day: number, country: string, amount: string, customer = 'ada') => ({
  at: `2026-02-${String(day).padStart(2, '0')}`,
  country,
  amount,
  customer,
})

describe('the rows of a figure', () => {
  test('are those that count, each with what it gave, and their sum is the figure; personal fields are masked', async () => {
    const { shop, valueRows } = await open(statements)
    const artifactId = await deliver(shop, [
      row(1, 'SE', '0.1'),
      row(2, 'NO', '5'),
      { ...row(3, 'SE', '1'), amount: 'x' },
      row(28, 'SE', '0.2'),
      { at: '2026-03-01', country: 'SE', amount: '9' },
      row(5, 'SE', '12345678901234567890.123456789'),
    ])
    const { body } = await valueRows(artifactId, '&label.country=SE')
    expect(body).toMatchObject({
      state: 'parsed',
      value: '12345678901234567890.423456789',
      rows_counted: 3,
      rows_not_counted: 3,
      labels: { country: ['SE'] },
      rows: [
        { row: 1, gave: '0.1' },
        { row: 4, gave: '0.2' },
        { row: 6, gave: '12345678901234567890.123456789' },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('"ada"')
    const others = await valueRows(artifactId, '&not.country=SE')
    expect([others.body.value, others.body.rows_counted]).toEqual(['5', 1])
    const trace = await shop.reader.get(`${shop.trace}&period_start=2026-02-01&grain=month&label.country=SE`)
    expect(trace.body.value).toBe(body.value)
  })

  test('come page by page, and a replaced delivery still says what it stated', async () => {
    const { shop, valueRows } = await open(statements)
    const artifactId = await deliver(
      shop,
      Array.from({ length: 5 }, (_, index) => row(1 + index, 'SE', String(index))),
    )
    await deliver(
      shop,
      [1, 2, 3, 4, 5].map((day) => row(day, 'SE', '100')),
    )
    const found: number[] = []
    let cursor = ''
    do {
      const { body } = await valueRows(artifactId, `&limit=2${cursor}`)
      found.push(...body.rows.map((each: { row: number }) => each.row))
      expect(body.value).toBe('10')
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    expect(found).toEqual([1, 2, 3, 4, 5])
  })

  test('of a product give the product, of a count one each, of a distinct count one for each new value', async () => {
    const fields = [...testFields, { name: 'price', type: 'number' as const, personal: false }]
    const metrics = [
      testMetric({ times: 'price' }),
      testMetric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer' }),
    ]
    const { shop, call } = await open({ fields, metrics })
    const at = '2026-02-01'
    const artifactId = await deliver(shop, [
      { at, amount: '3', price: '0.15', customer: 'ada' },
      { at, amount: '2', price: '1.5', customer: 'ada' },
      { at, amount: '2', customer: 'bo' },
    ])
    const gave = async (metric: string) => {
      const { body } = await call(artifactId, `value-rows?metric=${metric}&period_start=${at}`)
      return [body.value, ...body.rows.map((each: { gave: string }) => each.gave)]
    }
    expect(await gave('revenue')).toEqual(['3.45', '0.45', '3'])
    expect(await gave('active_users')).toEqual(['2', '1', '0', '1'])
    const counting = await open({ metrics: [testMetric({ aggregation: 'count' })] })
    const counted = await deliver(counting.shop, [{ at, amount: '3' }, { at }, { at, amount: '4' }])
    const { body } = await counting.valueRows(counted)
    expect(body).toMatchObject({
      value: '2',
      rows: [
        { row: 1, gave: '1' },
        { row: 3, gave: '1' },
      ],
    })
  })

  test('that cannot be read are said to be unreadable, and a queued delivery to be queued', async () => {
    const { shop, valueRows, difference } = await open(statements)
    const good = await deliver(shop, [row(1, 'SE', '1')])
    const broken = await deliver(shop, Buffer.from('[{"at":"2026-02-01","amount":"1"},') as never)
    const { status, body } = await valueRows(broken)
    expect([status, body.state, body.value, body.rows]).toEqual([200, 'unreadable', null, []])
    expect(body.reason).toEqual(expect.any(String))
    expect((await difference(good, broken)).body).toMatchObject({ state: 'unreadable', rows: [] })
  })

  test('of a source that is being rebuilt are those of the figures that are read meanwhile', async () => {
    const { shop, valueRows } = await open(statements)
    const artifactId = await deliver(shop, [
      row(1, 'SE', '1'),
      { at: '2026-02-02', country: 'SE', customer: 'bo' },
    ])
    const declaration = {
      fields: testFields.map((field) => (field.name === 'country' ? { ...field, personal: true } : field)),
      event_time: 'at',
      delivers: 'statements' as const,
      metrics: [testMetric({ filters: [{ field: 'amount', comparison: '>', value: '5' }] })],
    }
    await saveSourceAsOperator(context, shop, { declaration })
    const { body } = await valueRows(artifactId)
    expect(body).toMatchObject({ value: '1', rows_counted: 1, rows_not_counted: 1 })
    expect(body.fields).toContainEqual({ name: 'country', type: 'text', personal: true })
  })

  test.each([
    ['metric=nothing&period_start=2026-02-01', 404, undefined],
    ['metric=revenue&period_start=2026-02-02&grain=month', 400, 'period_start'],
    ['metric=revenue&period_start=soon', 400, 'period_start'],
    ['metric=revenue&period_start=2026-02-01&label.device=x', 400, 'label.device'],
    ['metric=revenue&period_start=2026-02-01&not.device=x', 400, 'not.device'],
    ['metric=revenue&period_start=2026-02-01&cursor=x', 400, 'cursor'],
  ])('with %s are %s', async (query, status, field) => {
    const { shop, call } = await open(statements)
    const artifactId = await deliver(shop, [row(1, 'SE', '1')])
    const answer = await call(artifactId, `value-rows?${query}`)
    expect([answer.status, answer.body.field]).toEqual([status, field])
  })
})

describe('the difference between two statements', () => {
  test('has rows gone, added and changed, whose differences add up to that of the figure', async () => {
    const { shop, difference } = await open(statements)
    const first = await deliver(shop, [
      row(1, 'SE', '1000.10', 'ada'),
      row(1, 'SE', '1000.10', 'ada'),
      row(2, 'NO', '7', 'bo'),
      row(3, 'SE', '248500', 'cy'),
      row(4, 'SE', '30', 'di'),
    ])
    const second = await deliver(shop, [
      row(1, 'SE', '1000.1', 'ada'),
      row(1, 'SE', '1000.10', 'ada'),
      row(4, 'SE', '31.5', 'di'),
      row(3, 'SE', '0.5', 'eva'),
      row(2, 'NO', '7', 'bo'),
    ])
    const { body } = await difference(second, first, '&key=customer')
    expect(body).toMatchObject({
      key: ['customer'],
      key_unique: false,
      value_before: '250537.2',
      value_after: '2039.2',
      difference: '-248498',
      rows_same: 3,
      gone: { rows: 1, difference: '-248500' },
      added: { rows: 1, difference: '0.5' },
      changed: { rows: 1, difference: '1.5' },
      rows: [
        { kind: 'gone', before: { row: 4, gave: '248500' }, after: null, difference: '-248500' },
        { kind: 'changed', before: { row: 5 }, after: { row: 3 }, fields: ['amount'], difference: '1.5' },
        { kind: 'added', before: null, after: { row: 4, gave: '0.5' } },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/cy|eva/)
    const trace = await shop.reader.get(`${shop.trace}&period_start=2026-02-01&grain=month`)
    expect(trace.body.deliveries[0]).toMatchObject({ step: body.difference, replaces: [first] })
    const paged = await difference(
      second,
      first,
      `&key=customer&limit=2&cursor=${Buffer.from('2').toString('base64url')}`,
    )
    expect(paged.body.rows).toMatchObject([{ kind: 'added' }])
    const inNorway = await difference(second, first, '&label.country=NO')
    expect(inNorway.body).toMatchObject({ difference: '0', rows_same: 1, rows: [] })
  })

  test('proposes the smallest key, and compares only days that both are about', async () => {
    const { shop, difference } = await open(statements)
    const first = await deliver(shop, [
      row(1, 'SE', '1', 'a'),
      row(2, 'SE', '2', 'b'),
      row(3, 'SE', '4', 'c'),
    ])
    const second = await deliver(shop, [
      row(2, 'SE', '3', 'b'),
      row(3, 'SE', '4', 'c'),
      row(9, 'SE', '50', 'd'),
    ])
    const { body } = await difference(second, first)
    expect(body).toMatchObject({
      key: ['at'],
      key_unique: true,
      difference: '1',
      changed: { rows: 1 },
      added: { rows: 0 },
      gone: { rows: 0 },
    })
  })

  test.each([
    ['&key=nothing', 400, 'key'],
    ['&key=at&key=nothing', 400, 'key'],
    ['&with=0198e6f4-1c2b-7000-8000-000000000000', 400, 'with'],
    ['&limit=0', 400, 'limit'],
  ])('with %s is %s', async (query, status, field) => {
    const { shop, difference } = await open(statements)
    const first = await deliver(shop, [row(1, 'SE', '1')])
    const second = await deliver(shop, [row(1, 'SE', '2')])
    const answer = await difference(second, first, query)
    expect([answer.status, answer.body.field]).toEqual([status, field])
    expect((await difference(second, second)).body.field).toBe('with')
  })
})
