import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedCompany, seedConnection, seedSource, seedWebhookSource } from '../../testing/in-process/seed.ts'
import { createTestContext, type TestContext } from '../../testing/in-process/test-context.ts'
import { createTestDatabase } from '../../testing/in-process/test-database.ts'
import { webhookSignature } from '../engine/deliveries/webhooks/signature.ts'
import type { App } from '../platform/http/contract.ts'
import { addShards } from '../platform/database/migrations/migrate.ts'
import { openPools } from '../platform/database/pools.ts'
import { buildApp } from './app.ts'
import { openShards } from './open-shards.ts'

/** The app over two shards, with a company in each. */

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())
let context: TestContext
let app: App
const companies: {
  at: TestContext
  companyId: string
  bearer: string
  hook: { id: string; secret: string }
}[] = []

beforeAll(async () => {
  const database = stack.use(await createTestDatabase())
  const { url } = database
  await addShards({ url, count: 1 })
  const pools = stack.use(openPools({ url, connectionsMax: 8, name: 'numera test' }))
  const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }
  const base = createTestContext(database.pool, { environment })
  const directory = { ...base, ...pools.at('access') }
  const shards = openShards(directory, pools)
  context = { ...directory, shards }
  app = await buildApp(context)
  stack.defer(() => app.close())
  for (const shard of [1, 2]) {
    const { company, owner } = await seedCompany(context)
    const { companyId } = company
    const at = { ...shards.get(shard), identity: base.identity, clock: base.clock }
    const source = await seedSource(at, companyId)
    const { credential } = await seedConnection(at, { company, owner, source })
    const { sourceId: id, signingSecret: secret } = await seedWebhookSource(at, companyId)
    companies.push({ at, companyId, bearer: credential!, hook: { id, secret } })
  }
})

const push = async (place: number, key: string): Promise<number> => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: `Bearer ${companies[place]!.bearer}` },
    payload: { idempotency_key: key, shape_version: 1, payload: [{ at: '2026-02-01', amount: '1' }] },
  })
  if (answer.statusCode === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  return answer.statusCode
}

test('a delivery is stored in the shard of its company, and read from there', async () => {
  for (const [place, { at, companyId, bearer, hook }] of companies.entries()) {
    expect(await push(place, 'first')).toBe(202)
    const body = Buffer.from('[{"at":"2026-02-01","amount":"1"}]')
    const t = Math.floor(context.clock.now() / 1_000)
    const answer = await app.inject({
      method: 'POST',
      url: `/v1/webhooks/${hook.id}`,
      headers: {
        'content-type': 'application/json',
        'service-delivery-id': 'first',
        'service-signature': `t=${t},v1=${webhookSignature(hook.secret, t, 'first', body)}`,
      },
      payload: body,
    })
    expect(answer.statusCode).toBe(202)
    const { rows } = await at.pool.query('select company_id from deliveries')
    expect(rows).toEqual([{ company_id: companyId }, { company_id: companyId }])
    const read = await app.inject({ url: '/v1/samples', headers: { authorization: `Bearer ${bearer}` } })
    expect(read.json()).toMatchObject({ samples: [] })
  }
})

test('all shards together have the connections of one pool', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, index) => push(index % 2, `many-${index}`)))
  const { rows } = await context.pool.query(
    `select count(*)::integer as connections from pg_stat_activity
     where application_name = 'numera test accept' and datname = current_database()`,
  )
  expect(rows[0].connections).toBeLessThanOrEqual(4)
})

test('a shard that does not answer is 503 for its companies, and nothing for others', async () => {
  const { at } = companies[1]!
  const client = await at.pool.connect()
  try {
    await client.query('begin; lock table sources in access exclusive mode')
    const waiting = push(1, 'second')
    const others = await Promise.all(Array.from({ length: 20 }, (_, index) => push(0, `other-${index}`)))
    expect(new Set(others)).toEqual(new Set([202]))
    expect(await waiting).toBe(503)
  } finally {
    await client.query('rollback')
    client.release()
  }
  expect(await push(1, 'second')).toBe(202)
})
