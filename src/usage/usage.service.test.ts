import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFoldMaintainer } from '../reading/maintain-folds.ts'
import { createReaderPool } from '../reading/reader-pool.ts'
import { createReader, type Reader } from '../reading/reader.ts'
import { webhookSignature } from '../deliveries/webhook-signature.ts'
import { signInConsole, type ConsoleClient } from '../testing/console-client.ts'
import {
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  seedWebhookSource,
  testPersonalNumber,
  type SeededCompany,
} from '../testing/seed.ts'
import { testFields, testMetric } from '../testing/source.ts'
import { storeDelivery } from '../testing/store-delivery.ts'
import { startTestService } from '../testing/test-service.ts'
import { addUsage, deliveryOverheadBytes } from './add-usage.ts'
import { countUsage, recountEveryMs, usageCountEveryMs } from './count-usage.ts'
import { recountUsage } from './recount-usage.ts'
import { setLimits } from './set-limits.ts'

const { database, context, app } = await startTestService()
let reader: Reader
let pool: Pool
beforeAll(async () => {
  pool = createReaderPool(database.url, () => {})
  reader = createReader({ pool, clock: context.clock, log: context.log })
})
afterAll(() => pool.end())

let seeded: SeededCompany
let companyId: string
let sourceId: string
let credential: string
let owner: ConsoleClient
let company: string
beforeEach(async () => {
  seeded = await seedCompany(context)
  companyId = seeded.company.companyId
  const source = await seedSource(context, companyId, { metrics: [testMetric({ group_by: ['country'] })] })
  sourceId = source.sourceId
  credential = (await seedConnection(context, { ...seeded, source })).credential!
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${companyId}`
})

/** As the service does it every few seconds. */
const count = async (): Promise<void> => {
  context.clock.advance(usageCountEveryMs)
  expect(await countUsage(context)).toBe(true)
}

const row = (country: string) => ({ at: '2026-01-14T12:00:00Z', amount: '1', country })

let keys = 0
const push = async (rows: object[], key = `key ${++keys}`, token = credential) => {
  context.clock.advance(1_000)
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ idempotency_key: key, shape_version: 1, payload: rows }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

const storedDeliveries = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ stored: number }>(
    'select count(*)::int as stored from deliveries where company_id = $1',
    [companyId],
  )
  return rows[0]!.stored
}

const usage = async () => {
  const { status, body } = await owner.get(`${company}/usage`)
  expect(status).toBe(200)
  return body as { limits: { limit: string; used: number; max: number }[]; reached: string | null }
}

const used = async (limit: string): Promise<number> =>
  (await usage()).limits.find((each) => each.limit === limit)!.used

test('a company that stores as much as it may gets 429 with an hour, its limit in words; nothing is kept, and another is taken', async () => {
  expect((await push([row('SE')], 'first')).status).toBe(202)
  await reader.drain()
  await setLimits(context, companyId, { stored_bytes: 1_000 })
  const refused = await push([row('SE')])
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers['retry-after']).toBe('3600')
  expect(refused.headers['ratelimit-limit']).toBe('60')
  expect(refused.body.message).toContain('limit of stored bytes')
  // Rate comes before the stored key.
  expect((await push([row('SE')], 'first')).status).toBe(429)
  expect(await storedDeliveries()).toBe(1)
  expect((await usage()).reached).toBe('stored_bytes')

  // It is read as before, and another company pushes.
  const read = await app.inject({ url: '/v1/samples', headers: { authorization: `Bearer ${credential}` } })
  expect(read.json().samples).toHaveLength(1)
  const other = await seedCompany(context)
  const source = await seedSource(context, other.company.companyId)
  const neighbour = (await seedConnection(context, { ...other, source })).credential!
  expect((await push([row('SE')], 'neighbour', neighbour)).status).toBe(202)

  await setLimits(context, companyId, { stored_bytes: null })
  expect((await push([row('SE')])).status).toBe(202)
  expect((await push([row('SE')], 'first')).headers['idempotent-replayed']).toBe('true')
})

test('a company with more to be read than it may have gets 429 with a minute, and is taken again once it is read', async () => {
  await setLimits(context, companyId, { waiting_deliveries: 2 })
  for (let sent = 0; sent < 2; sent++) expect((await push([row('SE')])).status).toBe(202)
  await count()
  const refused = await push([row('SE')])
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.body.message).toContain('deliveries that wait')
  expect(await used('waiting_deliveries')).toBe(2)

  await reader.drain()
  await count()
  expect((await push([row('SE')])).status).toBe(202)
  expect(await used('waiting_deliveries')).toBe(0)

  await setLimits(context, companyId, { waiting_deliveries: null, waiting_bytes: 10 })
  await count()
  expect((await push([row('SE')])).headers['retry-after']).toBe('60')
  expect((await usage()).reached).toBe('waiting_bytes')
})

test('a webhook of a company at its limit is 429 once it is signed; who has no secret learns nothing of it', async () => {
  const source = await seedWebhookSource(context, companyId)
  await setLimits(context, companyId, { cells: 1 })
  await addUsage(database.pool, new Map([[companyId, { deliveries: 0, storedBytes: 0, cells: 1 }]]))
  await count()
  const send = (secret: string) => {
    const body = JSON.stringify([row('SE')])
    const t = Math.floor(context.clock.now() / 1_000)
    return app.inject({
      method: 'POST',
      url: `/v1/webhooks/${source.sourceId}`,
      headers: {
        'content-type': 'application/json',
        'service-delivery-id': `d-${t}`,
        'service-signature': `t=${t},v1=${webhookSignature(secret, t, `d-${t}`, Buffer.from(body))}`,
      },
      payload: body,
    })
  }
  const refused = await send(source.signingSecret)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('cells') })
  expect(refused.headers['retry-after']).toBe('3600')
  expect((await send('nws_wrong')).statusCode).toBe(404)
  await setLimits(context, companyId, { cells: null })
  expect((await send(source.signingSecret)).statusCode).toBe(202)
})

test('one more source, connection, member or shape version than the limit is 409 and says the limit', async () => {
  await setLimits(context, companyId, { sources: 2, connections: 2, members: 2, shape_versions: 2 })
  const declaration = {
    fields: testFields,
    event_time: 'at',
    metrics: [testMetric()],
    delivers: 'events',
  }
  const newSource = { name: 'Till', system_kind: 'till', ...declaration }
  const newConnection = {
    name: 'Robot',
    source_id: sourceId,
    permissions: ['metrics.read'],
    kind: 'production',
    credential_kind: 'static',
  }
  const makers: [path: string, body: () => object, limit: string][] = [
    ['sources', () => newSource, '2 sources'],
    ['connections', () => newConnection, '2 connections'],
    ['members', () => ({ personal_number: testPersonalNumber(), role: 'reader' }), '2 members'],
  ]
  for (const [path, body, limit] of makers) {
    expect((await owner.post(`${company}/${path}`, body())).status, path).toBe(201)
    const refused = await owner.post(`${company}/${path}`, body())
    expect(refused, path).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(refused.body.message, path).toContain(limit)
  }
  const save = (expected: number) =>
    owner.put(`${company}/sources/${sourceId}/declaration`, { expected_version: expected, ...declaration })
  expect((await save(1)).status).toBe(200)
  expect(await save(2)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('2 shape versions') },
  })
  expect(await usage()).toMatchObject({
    limits: [
      { limit: 'sources', used: 2, max: 2 },
      { limit: 'connections', used: 2, max: 2 },
      { limit: 'members', used: 2, max: 2 },
      { limit: 'shape_versions', used: 2, max: 2 },
      { limit: 'cells', max: 5_000_000 },
      { limit: 'stored_bytes', max: 107_374_182_400 },
      { limit: 'waiting_bytes', max: 2_147_483_648 },
      { limit: 'waiting_deliveries', max: 1_000_000 },
    ],
    reached: null,
  })

  // One that is revoked makes room.
  const { connections } = (await owner.get(`${company}/connections`)).body
  await owner.post(`${company}/connections/${connections[0].connection_id}/revoke`)
  expect((await owner.post(`${company}/connections`, newConnection)).status).toBe(201)
})

test('of many who make something at once as many come through as there is room', async () => {
  await setLimits(context, companyId, { sources: 4 })
  const made = await Promise.allSettled(Array.from({ length: 12 }, () => seedSource(context, companyId)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await used('sources')).toBe(4)
})

test('owners and developers see what the company holds, readers and strangers do not', async () => {
  const developer = await seedMember(context, companyId, { role: 'developer' })
  const member = await seedMember(context, companyId, { role: 'reader' })
  expect((await (await signInConsole(app, context, developer)).get(`${company}/usage`)).status).toBe(200)
  expect((await (await signInConsole(app, context, member)).get(`${company}/usage`)).status).toBe(403)
  const stranger = await signInConsole(app, context, (await seedCompany(context)).owner)
  expect((await stranger.get(`${company}/usage`)).status).toBe(404)
})

test('what is stored and how many cells there are is counted once, also where a delivery is read again, and less once a fold is removed', async () => {
  const contents = [[row('SE'), row('NO')], [row('SE'), row('DK')], [row('SE')]]
  let bytes = 0
  for (const rows of contents) {
    bytes += JSON.stringify(rows).length + deliveryOverheadBytes
    await storeDelivery(database.pool, { companyId, sourceId }, rows)
  }
  await reader.drain()
  expect(await used('cells')).toBe(3)
  expect(await used('stored_bytes')).toBe(bytes)

  // The new fold's cells are there beside the old one's, until those are removed.
  await owner.post(`${company}/sources/${sourceId}/refold`)
  const folds = createFoldMaintainer({
    pool,
    clock: context.clock,
    log: { info: () => {} },
    graceMs: 0,
  })
  await folds.step()
  await reader.drain()
  expect(await used('cells')).toBe(6)
  for (let steps = 0; steps < 20; steps++) await folds.step()
  expect(await used('cells')).toBe(3)
  expect(await used('stored_bytes')).toBe(bytes)
})

test('a wrong sum is put right by counting anew, in parts of any size; what waits is no part of it', async () => {
  for (const country of ['SE', 'NO', 'DK', 'FI', 'IS']) {
    await storeDelivery(database.pool, { companyId, sourceId }, [row(country)])
  }
  await reader.drain()
  const [cells, bytes] = [await used('cells'), await used('stored_bytes')]
  expect(cells).toBe(5)
  await storeDelivery(database.pool, { companyId, sourceId }, [row('EE')])
  for (const wrong of [-2, 7]) {
    for (const rowsMax of [1, 2, 5, 1_000]) {
      await addUsage(
        database.pool,
        new Map([[companyId, { deliveries: wrong, storedBytes: 1_000 * wrong, cells: wrong }]]),
      )
      await recountUsage(database.pool, companyId, rowsMax)
      expect([await used('cells'), await used('stored_bytes')]).toEqual([cells, bytes])
    }
  }

  // As the service does it once a day.
  await database.pool.query('update company_usage set cells = 99, recounted_at = $2 where company_id = $1', [
    companyId,
    new Date(context.clock.now() - recountEveryMs),
  ])
  await count()
  expect(await used('cells')).toBe(5)
  await reader.drain()
})

test('sums of several companies are added in one statement, and never fall below nothing', async () => {
  const other = (await seedCompany(context)).company.companyId
  const sums = async () => {
    const { rows } = await database.pool.query(
      `select company_id, deliveries::int, stored_bytes::int, cells::int from company_usage
       where company_id = any ($1)`,
      [[companyId, other]],
    )
    return new Map(rows.map(({ company_id: id, ...rest }) => [id as string, rest as object]))
  }
  await addUsage(
    database.pool,
    new Map([
      [companyId, { deliveries: 1, storedBytes: 20, cells: 3 }],
      [other, { deliveries: 4, storedBytes: 50, cells: 6 }],
    ]),
  )
  await addUsage(database.pool, new Map([[other, { deliveries: -1, storedBytes: -60, cells: 1 }]]))
  expect(await sums()).toEqual(
    new Map<string, object>([
      [companyId, { deliveries: 1, stored_bytes: 20, cells: 3 }],
      [other, { deliveries: 3, stored_bytes: 0, cells: 7 }],
    ]),
  )
})

test('of several processes one counts, and not again at once', async () => {
  context.clock.advance(usageCountEveryMs)
  const counted = await Promise.all(Array.from({ length: 5 }, () => countUsage(context)))
  expect(counted.filter(Boolean)).toHaveLength(1)
  expect(await countUsage(context)).toBe(false)
})
