import { expect, test } from 'vitest'
import { selectQueue } from '../backlog/queues.ts'
import { seedConnection, seedSource } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { byCountry, startSampleScene } from '../../../testing/in-process/scenes/sample-scene.ts'

const { database, context, worker, openShop, deliver, get, values } = await startSampleScene()

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
