import { expect, test } from 'vitest'
import { createPool, endPool } from '../../platform/database/pool.ts'
import { createProjectionMaintainer } from '../projections/maintain-projections.ts'
import { webhookSignature } from '../deliveries/webhooks/signature.ts'
import {
  seedCompany,
  seedConnection,
  seedSource,
  seedWebhookSource,
  testPersonalNumber,
} from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { addUsage, deliveryOverheadBytes } from './add-usage.ts'
import { countUsage, usageCountEveryMs } from './count-usage.ts'
import { recountEveryMs, recountSome, recountUsage } from './recount-usage.ts'
import { setLimits } from './set-limits.ts'
import { saveSource } from '../../../testing/process/save-source.ts'
import { startUsageScene, toRow as row } from '../../../testing/in-process/scenes/usage-scene.ts'
import { firstShard } from '../../platform/database/schemas.ts'

const scene = await startUsageScene()
const { database, context, app, worker, pool, count, push, storedDeliveries, usage, used } = scene

test('a company that stores as much as it may gets 429 for an hour with its limit; nothing is stored, and other companies are unaffected', async () => {
  expect((await push([row('SE')], 'first')).status).toBe(202)
  await worker.drain()
  await setLimits(context, scene.companyId, { stored_bytes: 1_000 })
  const refused = await push([row('SE')])
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers['retry-after']).toBe('3600')
  expect(refused.headers['ratelimit-limit']).toBe('60')
  expect(refused.body.message).toContain('limit of stored bytes')
  // Rate comes before the stored key.
  expect((await push([row('SE')], 'first')).status).toBe(429)
  expect(await storedDeliveries()).toBe(1)
  expect((await usage()).reached).toBe('stored_bytes')

  // It can be read as before, and another company pushes.
  const read = await app.inject({
    url: '/v1/samples',
    headers: { authorization: `Bearer ${scene.credential}` },
  })
  expect(read.json().samples).toHaveLength(1)
  const other = await seedCompany(context)
  const source = await seedSource(context, other.company.companyId)
  const neighbour = (await seedConnection(context, { ...other, source })).credential!
  expect((await push([row('SE')], 'neighbour', neighbour)).status).toBe(202)

  await setLimits(context, scene.companyId, { stored_bytes: null })
  expect((await push([row('SE')])).status).toBe(202)
  expect((await push([row('SE')], 'first')).headers['idempotent-replayed']).toBe('true')
})

test('a company with more waiting to be parsed than it may have gets 429 for a minute, until that is parsed', async () => {
  await setLimits(context, scene.companyId, { waiting_deliveries: 2 })
  for (let sent = 0; sent < 2; sent++) expect((await push([row('SE')])).status).toBe(202)
  await count()
  const refused = await push([row('SE')])
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.body.message).toContain('deliveries that wait')
  expect(await used('waiting_deliveries')).toBe(2)

  await worker.drain()
  await count()
  expect((await push([row('SE')])).status).toBe(202)
  expect(await used('waiting_deliveries')).toBe(0)

  await setLimits(context, scene.companyId, { waiting_deliveries: null, waiting_bytes: 10 })
  await count()
  expect((await push([row('SE')])).headers['retry-after']).toBe('60')
  expect((await usage()).reached).toBe('waiting_bytes')
})

test('a webhook of a company at its limit is 429 once its signature is good; without the secret nothing is learned of it', async () => {
  const source = await seedWebhookSource(context, scene.companyId)
  await setLimits(context, scene.companyId, { cells: 1 })
  await addUsage(database.pool, new Map([[scene.companyId, { deliveries: 0, storedBytes: 0, cells: 1 }]]))
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
  await setLimits(context, scene.companyId, { cells: null })
  expect((await send(source.signingSecret)).statusCode).toBe(202)
})

test('one more source, connection, member or shape version than the limit is 409 with the limit', async () => {
  await setLimits(context, scene.companyId, { sources: 2, connections: 2, members: 2, shape_versions: 2 })
  const declaration = {
    fields: testFields,
    event_time: 'at',
    metrics: [testMetric()],
    delivers: 'events',
  }
  const newSource = { name: 'Till', system_kind: 'till', ...declaration }
  const newConnection = {
    name: 'Robot',
    source_id: scene.sourceId,
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
    expect((await scene.owner.post(`${scene.company}/${path}`, body())).status, path).toBe(201)
    const refused = await scene.owner.post(`${scene.company}/${path}`, body())
    expect(refused, path).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(refused.body.message, path).toContain(limit)
  }
  const save = (delivers: string) =>
    saveSource(scene.owner, `${scene.company}/sources/${scene.sourceId}`, { delivers })
  expect((await save('statements')).status).toBe(200)
  expect(await save('events')).toMatchObject({
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
  const { connections } = (await scene.owner.get(`${scene.company}/connections`)).body
  await scene.owner.post(`${scene.company}/connections/${connections[0].connection_id}/revoke`)
  expect((await scene.owner.post(`${scene.company}/connections`, newConnection)).status).toBe(201)
})

test('what is stored and how many cells there are is counted once, also where a delivery is parsed again, and less once a projection is removed', async () => {
  const contents = [[row('SE'), row('NO')], [row('SE'), row('DK')], [row('SE')]]
  let bytes = 0
  for (const rows of contents) {
    bytes += JSON.stringify(rows).length + deliveryOverheadBytes
    await storeDelivery(database.pool, { companyId: scene.companyId, sourceId: scene.sourceId }, rows)
  }
  await worker.drain()
  expect(await used('cells')).toBe(3)
  expect(await used('stored_bytes')).toBe(bytes)

  // The new projection's cells exist together with the old one's until those are removed.
  await scene.owner.post(`${scene.company}/sources/${scene.sourceId}/rebuilds`)
  const projections = createProjectionMaintainer({
    pool,
    shard: firstShard,
    clock: context.clock,
    log: { info: () => {}, error: () => {} },
    graceMs: 0,
  })
  await projections.step()
  await worker.drain()
  expect(await used('cells')).toBe(6)
  for (let steps = 0; steps < 20; steps++) await projections.step()
  expect(await used('cells')).toBe(3)
  expect(await used('stored_bytes')).toBe(bytes)
})

test('a wrong sum is corrected by a recount, in parts of any size; what waits is not part of it', async () => {
  for (const country of ['SE', 'NO', 'DK', 'FI', 'IS']) {
    await storeDelivery(database.pool, { companyId: scene.companyId, sourceId: scene.sourceId }, [
      row(country),
    ])
  }
  await worker.drain()
  const [cells, bytes] = [await used('cells'), await used('stored_bytes')]
  expect(cells).toBe(5)
  await storeDelivery(database.pool, { companyId: scene.companyId, sourceId: scene.sourceId }, [row('EE')])
  for (const wrong of [-2, 7]) {
    for (const rowsMax of [1, 2, 5, 1_000]) {
      await addUsage(
        database.pool,
        new Map([[scene.companyId, { deliveries: wrong, storedBytes: 1_000 * wrong, cells: wrong }]]),
      )
      expect(await recountUsage(context, scene.companyId, { rowsMax })).toBe(true)
      expect([await used('cells'), await used('stored_bytes')]).toEqual([cells, bytes])
    }
  }

  // As the service does it once a day.
  await database.pool.query('update company_usage set cells = 99, recounted_at = $2 where company_id = $1', [
    scene.companyId,
    new Date(context.clock.now() - recountEveryMs),
  ])
  context.clock.advance(1_000)
  await recountSome(context)
  expect(await used('cells')).toBe(5)
  await worker.drain()
})

test('limits of cells and stored bytes hold even when what waits cannot be counted', async () => {
  await addUsage(database.pool, new Map([[scene.companyId, { deliveries: 0, storedBytes: 0, cells: 8 }]]))
  await database.pool.query('insert into company_limits (company_id, cells) values ($1, 8)', [
    scene.companyId,
  ])
  const brief = createPool({ url: database.url, connectionsMax: 2, lockTimeoutMs: 300 })
  const holder = await database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table backlog in access exclusive mode')
    context.clock.advance(usageCountEveryMs)
    await expect(countUsage({ ...context, pool: brief })).rejects.toThrow(/timeout/)
  } finally {
    holder.release(true)
    await endPool(brief)
  }
  expect((await usage()).reached).toBe('cells')
})
