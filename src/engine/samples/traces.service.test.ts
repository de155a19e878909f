import { expect, test } from 'vitest'
import { seedConnection, seedSource } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { byCountry, startSampleScene } from '../../../testing/in-process/scenes/sample-scene.ts'

const { database, context, worker, openShop, deliver, get, values } = await startSampleScene()

test('a trace shows what every delivery contributed, a page at a time', async () => {
  const shop = await openShop({
    metrics: [
      testMetric({
        metric: 'active_users',
        aggregation: 'count_distinct',
        field: 'customer',
        period: 'month',
      }),
    ],
  })
  const artifacts: string[] = []
  for (const customers of [['ada', 'bo'], ['bo'], ['bo', 'cy', 'cy']]) {
    artifacts.push(
      await deliver(
        shop,
        customers.map((customer) => ({ at: '2026-03-05', customer })),
      ),
    )
  }
  const query = '/v1/samples/trace?metric=active_users&period_start=2026-03-01&limit=2'
  const first = await get(shop.credential, query)
  expect(first.body).toMatchObject({ value: '3', restated: false, owner_artifact_id: null, labels: {} })
  expect(first.body.deliveries).toMatchObject([
    { artifact_id: artifacts[2], value: '2', rows: 3, added: 1, superseded: false },
    { artifact_id: artifacts[1], value: '1', rows: 1, added: 0 },
  ])
  const second = await get(shop.credential, `${query}&cursor=${first.body.next_cursor}`)
  expect(second.body.deliveries).toMatchObject([{ artifact_id: artifacts[0], value: '2', rows: 2, added: 2 }])
  expect(second.body.next_cursor).toBe(null)
})

/** Steps and running values of a traced sample, one a page. */
const readSteps = async (delivers: 'events' | 'statements') => {
  const shop = await openShop({ delivers })
  for (const amount of ['1.5', '-0.25', '3']) await deliver(shop, [{ at: '2026-03-01', amount }])
  const found: [string | null, string | null][] = []
  let cursor = ''
  do {
    const query = `/v1/samples/trace?metric=revenue&period_start=2026-03-01&limit=1${cursor}`
    const { body } = await get(shop.credential, query)
    for (const { step, running } of body.deliveries) found.push([step, running])
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
  } while (cursor !== '')
  return found
}

test('a trace has the running value of events and the step between statements, across pages', async () => {
  expect(await readSteps('events')).toEqual([
    [null, '4.25'],
    [null, '1.25'],
    [null, '1.5'],
  ])
  expect(await readSteps('statements')).toEqual([
    ['3.25', null],
    ['-1.75', null],
    [null, null],
  ])
})

test('a last value is traced with its event time', async () => {
  const shop = await openShop({ metrics: [testMetric({ aggregation: 'last' })] })
  await deliver(shop, [{ at: '2026-03-01T10:00:00.25+01:00', amount: '1' }])
  const { body } = await get(shop.credential, '/v1/samples/trace?metric=revenue&period_start=2026-03-01')
  expect(body.deliveries).toMatchObject([{ value: '1', event_at: '2026-03-01T09:00:00.25Z', added: null }])
})

test.for([
  ['period_start=2026-03-01&label.country=SE', 400, 'metric'],
  ['metric=revenue&label.country=SE', 400, 'period_start'],
  ['metric=revenue&period_start=soon&label.country=SE', 400, 'period_start'],
  ['metric=revenue&period_start=2026-03-01', 400, 'label.country'],
  ['metric=revenue&period_start=2026-03-01&label.country=SE&limit=0', 400, 'limit'],
  ['metric=revenue&period_start=2026-03-01&label.country=SE&cursor=x', 400, 'cursor'],
  ['metric=revenue&period_start=2026-03-01&label.country=FI', 404, undefined],
  ['metric=revenue&period_start=2026-03-01&label.country=SE&label.x=y', 400, 'label.x'],
  ['metric=nothing&period_start=2026-03-01&label.country=SE', 400, 'metric'],
  ['metric=active_users&period_start=2026-03-01', 404, undefined],
] as const)('a trace of %s is %s', async ([query, status, field]) => {
  const shop = await openShop(byCountry)
  await deliver(shop, [{ at: '2026-03-01', amount: '1', country: 'SE' }])
  const answer = await get(shop.credential, `/v1/samples/trace?${query}`)
  expect([answer.status, answer.body.field]).toEqual([status, field])
})

test('a delivery is queued, then parsed, with its refused rows and those with a date alone', async () => {
  const shop = await openShop()
  const { artifactId } = await storeDelivery(database.pool, shop, [
    { at: '2026-03-01', amount: '1' },
    { at: '2026-03-01T10:00:00', amount: '1', customer: '198001019876' },
    { at: '2026-03-01T10:00:00Z', amount: '1' },
  ])
  const queued = await get(shop.credential, `/v1/deliveries/${artifactId}`)
  expect(queued.body).toMatchObject({ state: 'queued', rows_accepted: null, refusals: [] })
  await worker.drain()
  const parsed = await get(shop.credential, `/v1/deliveries/${artifactId}`)
  expect(parsed.body).toMatchObject({
    artifact_id: artifactId,
    source_id: shop.sourceId,
    state: 'parsed',
    reason: null,
    received_at: '2026-03-01T12:00:00.000Z',
    shape_version: 1,
    sandbox: false,
    rows_accepted: 2,
    rows_refused: 1,
    rows_date_alone: 1,
    refusals: [{ row: 2, field: 'at', code: 'timestamp_no_offset' }],
  })
  expect(JSON.stringify(parsed.body)).not.toContain('9876')
})

test.each([
  {
    format: 'json',
    content:
      '[{"at":"2026-03-01","amount":"1.5"},{"at":"2026-03-01","amount":"x"},{"at":"2026-03-02","amount":2}]',
    line: undefined,
  },
  {
    format: 'json_lines',
    content:
      '{"at":"2026-03-01","amount":"1.5"}\n\n{"at":"2026-03-01","amount":"x"}\n{"at":"2026-03-02","amount":2}',
    line: 3,
  },
  {
    format: 'csv',
    content: '\ufeffcountry;at;amount\r\n"S;\r\nE";2026-03-01;1.5\r\n;2026-03-01;x\r\n;2026-03-02;"2"\r\n',
    line: 4,
  },
] as const)(
  'a $format document is read to the same samples, its refused row named by $line',
  async ({ format, content, line }) => {
    const shop = await openShop()
    const artifactId = await deliver(shop, Buffer.from(content), { format, compressed: true })
    expect(await values(shop)).toEqual(['2026-03-02 2', '2026-03-01 1.5'])
    const { body } = await get(shop.credential, `/v1/deliveries/${artifactId}`)
    expect(body).toMatchObject({ state: 'parsed', rows_accepted: 2, rows_refused: 1 })
    expect(body.refusals).toEqual([
      {
        row: 2,
        ...(line === undefined ? {} : { line }),
        field: 'amount',
        code: 'number_malformed',
        reason: expect.any(String),
      },
    ])
  },
)

test('a SIE file becomes revenue by month, and its refused transaction is named by its line', async () => {
  const shop = await openShop({
    fields: [
      { name: 'date', type: 'timestamp', personal: false },
      { name: 'account', type: 'text', personal: false },
      { name: 'credit', type: 'number', personal: false },
    ],
    event_time: 'date',
    metrics: [
      testMetric({
        field: 'credit',
        period: 'month',
        filters: [
          { field: 'account', comparison: '≥', value: '3000' },
          { field: 'account', comparison: '<', value: '3800' },
        ],
      }),
    ],
  })
  const file = [
    '#FLAGGA 0',
    '#SIETYP 4',
    '#VER A 1 20260131 "F\x94rs\x84ljning"',
    '{',
    '#TRANS 1930 {} 1250.00',
    '#TRANS 3001 {} -1000.00',
    '#TRANS 2611 {} -250.00',
    '#TRANS 3001 {} 0,50',
    '}',
  ]
  const artifactId = await deliver(shop, Buffer.from(file.join('\r\n'), 'latin1'), { format: 'sie' })
  expect(await values(shop)).toEqual(['2026-01-01 1000'])
  const { body } = await get(shop.credential, `/v1/deliveries/${artifactId}`)
  expect(body).toMatchObject({
    state: 'parsed',
    rows_accepted: 3,
    refusals: [{ row: 4, line: 8, field: 'credit', code: 'number_malformed' }],
  })
})

test('content that turns out to be broken is unreadable and counts nothing', async () => {
  const shop = await openShop()
  const artifactId = await deliver(shop, Buffer.from('[{"at":"2026-03-01","amount":"1"},'))
  const { body } = await get(shop.credential, `/v1/deliveries/${artifactId}`)
  expect(body).toMatchObject({ state: 'unreadable', rows_accepted: 0, rows_refused: 0 })
  expect(body.reason).toEqual(expect.any(String))
  expect(await values(shop)).toEqual([])
})

test('a delivery is seen by connections of its company, its source and its kind only', async () => {
  const shop = await openShop()
  const artifactId = await deliver(shop, [{ at: '2026-03-01', amount: '1' }])
  const path = `/v1/deliveries/${artifactId}`
  const other = await openShop()
  const otherSource = await seedSource(context, shop.companyId)
  const callers = {
    'another company': other.credential,
    'another source': (await seedConnection(context, { ...shop, source: otherSource })).credential!,
    sandbox: (await seedConnection(context, { ...shop, source: shop, kind: 'sandbox' })).credential!,
    unbound: (await seedConnection(context, { company: shop.company, owner: shop.owner })).credential!,
    'push only': (await seedConnection(context, { ...shop, source: shop, permissions: ['sources.ingest'] }))
      .credential!,
  }
  const seen: Record<string, number> = {}
  for (const [name, credential] of Object.entries(callers)) seen[name] = (await get(credential, path)).status
  expect(seen).toEqual({
    'another company': 404,
    'another source': 404,
    sandbox: 404,
    unbound: 200,
    'push only': 200,
  })
  expect((await get(shop.credential, '/v1/deliveries/none')).status).toBe(404)
  expect((await get(callers['push only'], '/v1/samples')).status).toBe(403)
})
