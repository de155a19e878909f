import { type Aggregation, aggregationNames } from '../aggregations/aggregations.ts'
import { beforeEach, expect, test } from 'vitest'
import { selectQueue } from '../backlog/queues.ts'
import type { Declaration } from '../declarations/declaration.ts'
import { seedCompany, seedConnection, seedSource } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery, type StoreOptions } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { samplesMax } from './read-samples.ts'
import { seedScene } from '../../../testing/in-process/scene.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
beforeEach(() => context.clock.set('2026-03-15T12:00:00Z'))

interface Shop {
  companyId: string
  sourceId: string
  company: { companyId: string }
  owner: Awaited<ReturnType<typeof seedCompany>>['owner']
  credential: string
}

const openShop = async (
  declaration: Partial<Declaration> = {},
  timeZone = 'Europe/Stockholm',
): Promise<Shop> => {
  const { company, owner, source, connection } = await seedScene(context, {
    company: { timeZone },
    source: declaration,
    connection: {},
  })
  const { companyId } = company
  return { companyId, sourceId: source.sourceId, company, owner, credential: connection.credential! }
}

const byCountry = { metrics: [testMetric({ group_by: ['country'] })] }

const deliver = async (shop: Shop, rows: object[] | Buffer, options: StoreOptions = {}): Promise<string> => {
  const { artifactId } = await storeDelivery(database.pool, shop, rows, options)
  await worker.drain()
  return artifactId
}

const get = async (credential: string, path: string, headers: Record<string, string> = {}) => {
  // A call a second is never too much.
  context.clock.advance(1_000)
  const answer = await app.inject({
    url: path,
    headers: { authorization: `Bearer ${credential}`, ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? {} : answer.json() }
}

const values = async (shop: Shop, query = ''): Promise<string[]> => {
  const { body } = await get(shop.credential, `/v1/samples${query}`)
  return body.samples.map((sample: { period_start: string; labels: object; value: string }) =>
    [sample.period_start, ...Object.values(sample.labels), sample.value].join(' '),
  )
}

test('samples have the members of the specification and nothing else', async () => {
  const shop = await openShop(byCountry)
  await deliver(shop, [{ at: '2026-03-01', amount: '1.50', country: 'SE' }])
  const last = await deliver(shop, [
    { at: '2026-03-01T23:30:00Z', amount: '10', country: 'Åland "x"', customer: 'ada' },
  ])
  const { status, headers, body } = await get(shop.credential, '/v1/samples?from=2026-03-01&to=2026-03-10')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers).toMatchObject({ 'ratelimit-limit': '60', 'access-control-allow-origin': '*' })
  expect(body).toEqual({
    source_id: shop.sourceId,
    window: { from: '2026-03-01', to: '2026-03-10', max_days: 731, narrowed: false },
    samples: [
      {
        metric: 'revenue',
        period_start: '2026-03-02',
        value: '10',
        labels: { country: 'Åland "x"' },
        sandbox: false,
        artifact_id: last,
      },
      {
        metric: 'revenue',
        period_start: '2026-03-01',
        value: '1.5',
        labels: { country: 'SE' },
        sandbox: false,
        artifact_id: expect.any(String),
      },
    ],
    truncated: false,
  })
})

test('a source without deliveries has no samples', async () => {
  const shop = await openShop()
  const { body } = await get(shop.credential, '/v1/samples')
  expect(body).toMatchObject({ samples: [], truncated: false })
})

test('values are exact, without exponent, zeros at the end or a negative zero', async () => {
  const shop = await openShop({ metrics: [testMetric({ times: 'amount', group_by: ['country'] })] })
  await deliver(shop, [
    { at: '2026-03-01', amount: '99999999999999999999999999999999999999', country: 'a' },
    { at: '2026-03-01', amount: '0.000000000000000001', country: 'b' },
    { at: '2026-03-01', amount: '-0', country: 'c' },
    { at: '2026-03-01', amount: '1e2', country: 'd' },
  ])
  expect(await values(shop)).toEqual([
    '2026-03-01 a 9999999999999999999999999999999999999800000000000000000000000000000000000001',
    '2026-03-01 b 0.000000000000000000000000000000000001',
    '2026-03-01 c 0',
    '2026-03-01 d 10000',
  ])
})

test.for([
  ['from=yesterday', 'from'],
  ['from=2026-02-30', 'from'],
  ['from=2026-1-1', 'from'],
  ['from=2026-03-01T00:00:00Z', 'from'],
  ['from=0000-05-01', 'from'],
  ['from=', 'from'],
  ['to=2026-13-01', 'to'],
  ['from=2026-03-02&to=2026-03-02', 'from'],
  ['from=2026-03-02&to=2026-03-01', 'from'],
  ['from=2026-03-17', 'from'],
  ['from=2026-03-01&from=2026-03-02', 'from'],
  ['to=2026-03-01&to=2026-03-01', 'to'],
  ['metric=revenue&metric=revenue', 'metric'],
  ['label.country=SE&label.country=NO', 'label.country'],
  ['metric=%00', 'metric'],
  ['as_of=2026-03-01', 'as_of'],
  ['as_of=2026-03-01T00:00:00', 'as_of'],
] as const)('%s is refused for its field %s', async ([query, field]) => {
  const shop = await openShop()
  const { status, body } = await get(shop.credential, `/v1/samples?${query}`)
  expect([status, body.code, body.field]).toEqual([400, 'invalid_argument', field])
})

test.for([
  // An hour before midnight in Stockholm, then the night in which the clock goes forward.
  ['Europe/Stockholm', '2026-03-28T22:59:00Z', '2026-03-29'],
  ['Europe/Stockholm', '2026-03-28T23:00:00Z', '2026-03-30'],
  ['Europe/Stockholm', '2026-03-29T21:59:00Z', '2026-03-30'],
  ['Europe/Stockholm', '2026-03-29T22:00:00Z', '2026-03-31'],
  ['America/New_York', '2026-11-01T03:59:00Z', '2026-11-01'],
  ['America/New_York', '2026-11-02T04:59:00Z', '2026-11-02'],
  ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', '2026-01-03'],
] as const)('in %s at %s the window ends with the company’s today', async ([timeZone, instant, to]) => {
  const shop = await openShop({}, timeZone)
  context.clock.set(instant)
  context.clock.advance(-1_000)
  const { body } = await get(shop.credential, '/v1/samples')
  expect(body.window).toMatchObject({ to, narrowed: false })
  const days = (Date.parse(to) - Date.parse(body.window.from)) / 86_400_000
  expect(days).toBe(731)
})

test('a window that is too wide is narrowed, with a flag', async () => {
  const shop = await openShop()
  await deliver(shop, [
    { at: '2020-01-01', amount: '1' },
    { at: '2024-03-14', amount: '2' },
    { at: '2024-03-15', amount: '3' },
  ])
  const { body } = await get(shop.credential, '/v1/samples?from=2019-01-01')
  expect(body.window).toEqual({ from: '2024-03-15', to: '2026-03-16', max_days: 731, narrowed: true })
  expect(body.samples).toMatchObject([{ value: '3' }])
  const exact = await get(shop.credential, '/v1/samples?from=2024-03-15')
  expect(exact.body.window.narrowed).toBe(false)
  const early = await get(shop.credential, '/v1/samples?to=0001-06-01')
  expect(early.body.window).toEqual({ from: '0001-01-01', to: '0001-06-01', max_days: 731, narrowed: false })
})

test('the day `to` is left out, and the day `from` is not', async () => {
  const shop = await openShop()
  await deliver(shop, [
    { at: '2026-03-01', amount: '1' },
    { at: '2026-03-02', amount: '2' },
    { at: '2026-03-03', amount: '3' },
  ])
  expect(await values(shop, '?from=2026-03-02&to=2026-03-03')).toEqual(['2026-03-02 2'])
})

test('an answer has at most its newest 5,000 samples, with a flag for more', async () => {
  const shop = await openShop(byCountry)
  const rows = Array.from({ length: samplesMax }, (_, index) => ({
    at: '2026-03-01',
    amount: '1',
    country: `${index}`,
  }))
  await deliver(shop, rows)
  const exactly = await get(shop.credential, '/v1/samples')
  expect([exactly.body.samples.length, exactly.body.truncated]).toEqual([samplesMax, false])
  await deliver(shop, [{ at: '2026-03-02', amount: '7', country: 'SE' }])
  const more = await get(shop.credential, '/v1/samples')
  expect([more.body.samples.length, more.body.truncated]).toEqual([samplesMax, true])
  expect(more.body.samples[0].value).toBe('7')
  const labels = more.body.samples
    .slice(1)
    .map((sample: { labels: { country: string } }) => sample.labels.country)
  expect(labels).toEqual(
    rows
      .map((row) => row.country)
      .toSorted()
      .slice(0, samplesMax - 1),
  )
})

/** A text that hardly compresses. */
const long = (first: number, length = 200): string =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((first + index * 7919) % 20_000))).join(
    '',
  )

test('labels longer than an index entry are read like others', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `label ${10 + index}`)
  const shop = await openShop({
    fields: [...testFields, ...names.map((name) => ({ name, type: 'text' as const, personal: false }))],
    metrics: [testMetric({ group_by: names })],
  })
  const labels = Object.fromEntries(names.map((name, index) => [name, long(index)]))
  const artifactId = await deliver(shop, [
    { at: '2026-03-01', amount: '7', ...labels },
    { at: '2026-03-01', amount: '8', ...labels, 'label 12': long(2, 201) },
  ])
  expect(await values(shop)).toEqual([`2026-03-01 ${Object.values(labels).join(' ')} 7`])
  expect((await get(shop.credential, `/v1/deliveries/${artifactId}`)).body).toMatchObject({
    rows_accepted: 1,
    rows_refused: 1,
    refusals: [{ row: 2, field: 'label 12', code: 'label_too_long' }],
  })
})

test('a sandbox connection reads test samples, every other one production samples', async () => {
  const shop = await openShop()
  const sandbox = await seedConnection(context, { ...shop, source: shop, kind: 'sandbox' })
  await deliver(shop, [{ at: '2026-03-01', amount: '1' }])
  await deliver(shop, [{ at: '2026-03-01', amount: '100' }], { sandbox: true })
  expect((await get(shop.credential, '/v1/samples')).body.samples).toMatchObject([
    { value: '1', sandbox: false },
  ])
  expect((await get(sandbox.credential!, '/v1/samples')).body.samples).toMatchObject([
    { value: '100', sandbox: true },
  ])
})

test('a cached answer is not given again once a delivery has changed it', async () => {
  const shop = await openShop()
  await deliver(shop, [{ at: '2026-03-01', amount: '1' }])
  const first = await get(shop.credential, '/v1/samples')
  const same = await get(shop.credential, '/v1/samples')
  expect(same.body).toEqual(first.body)
  const etag = String(first.headers.etag)
  // What compresses answers on their way makes tags weak (RFC 9110, section 8.8.3.2).
  for (const known of [etag, `W/${etag}`, `"another", W/${etag}`, '*']) {
    expect((await get(shop.credential, '/v1/samples', { 'if-none-match': known })).status).toBe(304)
  }
  await deliver(shop, [{ at: '2026-03-01', amount: '1' }])
  const changed = await get(shop.credential, '/v1/samples', { 'if-none-match': etag })
  expect([changed.status, changed.body.samples[0].value]).toEqual([200, '2'])
})

test('a statement replaces its own periods, and no others', async () => {
  const shop = await openShop({ ...byCountry, delivers: 'statements' })
  await deliver(shop, [
    { at: '2026-03-01', amount: '1', country: 'SE' },
    { at: '2026-03-01', amount: '2', country: 'NO' },
    { at: '2026-03-02', amount: '3', country: 'SE' },
  ])
  const second = await deliver(shop, [{ at: '2026-03-01', amount: '5', country: 'SE' }])
  expect(await values(shop)).toEqual(['2026-03-02 SE 3', '2026-03-01 SE 5'])

  const query = '/v1/samples/trace?metric=revenue&period_start=2026-03-01&label.country='
  const gone = await get(shop.credential, `${query}NO`)
  expect(gone.body).toMatchObject({ value: null, restated: true, owner_artifact_id: second })
  expect(gone.body.deliveries).toMatchObject([{ value: '2', superseded: true }])
  const kept = await get(shop.credential, `${query}SE`)
  expect(kept.body).toMatchObject({ value: '5', restated: true })
  expect(kept.body.deliveries).toMatchObject([
    { artifact_id: second, value: '5', superseded: false },
    { value: '1', superseded: true },
  ])
})

test('a statement that is parsed late does not replace one that was received after it', async () => {
  const shop = await openShop({ delivers: 'statements' })
  const early = await storeDelivery(database.pool, shop, [{ at: '2026-03-01', amount: '1' }], {
    queued: false,
  })
  await deliver(shop, [{ at: '2026-03-01', amount: '2' }])
  await database.pool.query(
    `insert into backlog (
      receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at, queue
    )
    select receive_number, 0, company_id, source_id, artifact_id, content_bytes, received_at,
      ${selectQueue('0', 'content_bytes')}
    from deliveries where artifact_id = $1`,
    [early.artifactId],
  )
  await worker.drain()
  expect(await values(shop)).toEqual(['2026-03-01 2'])
  const trace = await get(shop.credential, '/v1/samples/trace?metric=revenue&period_start=2026-03-01')
  expect(trace.body.deliveries).toMatchObject([
    { value: '2' },
    { artifact_id: early.artifactId, superseded: true },
  ])
})

test('a statement with nothing but refused rows in a period leaves it alone, one that is filtered out empties it', async () => {
  const filters = [{ field: 'country', comparison: '=' as const, value: 'SE' }]
  const shop = await openShop({ delivers: 'statements', metrics: [testMetric({ filters })] })
  await deliver(shop, [
    { at: '2026-03-01', amount: '1', country: 'SE' },
    { at: '2026-03-02', amount: '2', country: 'SE' },
  ])
  await deliver(shop, [
    { at: '2026-03-01', amount: 'much', country: 'SE' },
    { at: '2026-03-02', amount: '3', country: 'NO' },
  ])
  expect(await values(shop)).toEqual(['2026-03-01 1'])
})

test('samples can be filtered by metric and labels', async () => {
  const shop = await openShop({
    metrics: [
      testMetric({ group_by: ['country'] }),
      testMetric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer' }),
    ],
  })
  await deliver(shop, [
    { at: '2026-03-01', amount: '1', country: 'SE', customer: 'ada' },
    { at: '2026-03-01', amount: '2', country: 'NO', customer: 'bo' },
  ])
  expect(await values(shop)).toEqual(['2026-03-01 2', '2026-03-01 NO 2', '2026-03-01 SE 1'])
  expect(await values(shop, '?metric=active_users')).toEqual(['2026-03-01 2'])
  expect(await values(shop, '?label.country=SE')).toEqual(['2026-03-01 SE 1'])
})

test('samples can be read as they were at a moment', async () => {
  const metrics = [
    testMetric({ metric: 'revenue' }),
    testMetric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer' }),
  ]
  const at = '2026-03-01T10:00:00Z'
  const deliveries: [string, object[]][] = [
    [
      '2026-03-02T10:00:00Z',
      [
        { at, amount: '1', customer: 'ada' },
        { at, amount: '2', customer: 'bo' },
      ],
    ],
    [
      '2026-03-03T10:00:00Z',
      [
        { at, amount: '4', customer: 'bo' },
        { at, amount: '8', customer: 'cy' },
      ],
    ],
  ]
  const expected = {
    events: [[], ['2026-03-01 2', '2026-03-01 3'], ['2026-03-01 3', '2026-03-01 15']],
    statements: [[], ['2026-03-01 2', '2026-03-01 3'], ['2026-03-01 2', '2026-03-01 12']],
  }
  for (const delivers of ['events', 'statements'] as const) {
    const shop = await openShop({ delivers, metrics })
    // Parsed in another order than received.
    for (const [receivedAt, rows] of deliveries) {
      await storeDelivery(database.pool, shop, rows, { receivedAt })
    }
    await worker.drain()
    const moments = ['2026-03-02T09:59:59.999Z', '2026-03-02T11:00:00%2B01:00', '2026-03-03T10:00:00Z']
    const read = []
    for (const moment of moments) read.push(await values(shop, `?as_of=${moment}`))
    expect(read).toEqual(expected[delivers])
    expect(await values(shop, '?as_of=9999-12-31T23:59:59-23:59')).toEqual(await values(shop))
    expect(await values(shop, '?as_of=0000-01-01T00:00:00Z')).toEqual([])
  }
})

const ofFiveThenThree: Record<Aggregation, [then: string, now: string]> = {
  sum: ['5', '8'],
  count: ['1', '2'],
  count_distinct: ['1', '2'],
  min: ['5', '3'],
  max: ['5', '5'],
  last: ['5', '5'],
}
test.each(aggregationNames)('a %s can be read as it was at a moment', async (aggregation) => {
  const shop = await openShop({ metrics: [testMetric({ aggregation })] })
  // The later event time comes first.
  for (const [receivedAt, hour, amount] of [
    ['2026-03-02T10:00:00Z', '13', '5'],
    ['2026-03-03T10:00:00Z', '12', '3'],
  ]) {
    const rows = [{ at: `2026-03-01T${hour}:00:00Z`, amount }]
    await storeDelivery(database.pool, shop, rows, { receivedAt: receivedAt! })
  }
  await worker.drain()
  const [then, now] = ofFiveThenThree[aggregation]
  expect(await values(shop, '?as_of=2026-03-02T12:00:00Z')).toEqual([`2026-03-01 ${then}`])
  expect(await values(shop)).toEqual([`2026-03-01 ${now}`])
})

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

test('the sources are those that the connection may name', async () => {
  const shop = await openShop()
  context.clock.advance(1_000)
  const second = await seedSource(context, shop.companyId, { name: 'Ledger', delivers: 'statements' })
  const unbound = await seedConnection(context, { company: shop.company, owner: shop.owner })
  const first = {
    source_id: shop.sourceId,
    name: 'Shop',
    delivers: 'events',
    shape_version: 1,
    paused: false,
  }
  const bound = await get(shop.credential, '/v1/sources')
  expect(bound.body).toEqual({ sources: [first], next_cursor: null })
  const all = await get(unbound.credential!, '/v1/sources?limit=1')
  expect(all.body.sources).toEqual([first])
  const rest = await get(unbound.credential!, `/v1/sources?limit=1&cursor=${all.body.next_cursor}`)
  expect(rest.body).toMatchObject({
    sources: [{ source_id: second.sourceId, delivers: 'statements' }],
    next_cursor: null,
  })
})

test('the companies are all that the connection acts on', async () => {
  const shop = await openShop()
  expect((await get(shop.credential, '/v1/companies')).status).toBe(403)
  await database.pool.query(`update connections set permissions = '{company.read}' where company_id = $1`, [
    shop.companyId,
  ])
  const { body } = await get(shop.credential, '/v1/companies')
  expect(body.companies).toMatchObject([{ name: 'Bageriet AB', time_zone: 'Europe/Stockholm' }])
})
