import { beforeEach, expect, test } from 'vitest'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedConnection, seedMember } from '../../../testing/in-process/seed.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery, type StoreOptions } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { pauseSource } from '../sources/pause-source.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
beforeEach(async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  await database.pool.query('delete from rate_buckets')
})

const byCountry = { metrics: [testMetric({ group_by: ['country'] })] }
const statements = { delivers: 'statements' as const, ...byCountry }

async function openShop(declaration: Partial<Declaration> = {}) {
  const scene = await seedScene(context, { members: ['developer', 'reader'], source: declaration })
  const { companyId } = scene.company
  const path = `/console/companies/${companyId}/attention`
  const of = { companyId, sourceId: scene.source.sourceId }
  const signIn = (person: { personalNumber: string; name: string }) => signInConsole(app, context, person)
  const developer = await signIn(scene.developer)
  const list = async (client = developer) => (await client.get(path)).body.items
  return {
    ...scene,
    path,
    of,
    developer,
    reader: await signIn(scene.reader),
    person: scene.reader,
    signIn,
    list,
    kinds: async (client = developer) => (await list(client)).map(({ kind }: { kind: string }) => kind),
    deliver: async (rows: object[], options: StoreOptions = {}) => {
      const stored = await storeDelivery(database.pool, of, rows, options)
      await worker.drain()
      return stored
    },
  }
}

const row = (at: string, amount: string) => ({ at, amount, country: 'SE' })

test('a source is late by its own rhythm until it delivers, for readers too', async () => {
  const shop = await openShop()
  for (const hour of ['06', '07', '08', '09'])
    await shop.deliver([row('2026-03-15', '1')], { receivedAt: `2026-03-15T${hour}:00:00Z` })
  expect(await shop.list()).toEqual([])
  context.clock.set('2026-03-15T12:01:00Z')
  const expected = {
    kind: 'source_late',
    key: `source_late ${shop.of.sourceId}`,
    since: '2026-03-15T09:00:00.000Z',
    source: { source_id: shop.of.sourceId, name: shop.source.name },
    done: null,
  }
  expect(await shop.list()).toMatchObject([expected])
  expect(await shop.list(shop.reader)).toMatchObject([expected])
  await shop.deliver([row('2026-03-15', '1')], { receivedAt: '2026-03-15T12:01:00Z' })
  expect(await shop.list()).toEqual([])
})

test('refused rows are those of the last delivery', async () => {
  const shop = await openShop()
  const { artifactId } = await shop.deliver([row('2026-03-15', 'x'), row('2026-03-15', '1')])
  expect(await shop.list()).toMatchObject([{ kind: 'rows_refused', count: 1, artifact_id: artifactId }])
  expect(await shop.list(shop.reader)).toEqual([])
  const garbage = await storeDelivery(database.pool, shop.of, Buffer.from('[{'))
  await worker.drain()
  expect(await shop.list()).toMatchObject([
    { kind: 'rows_refused', count: null, artifact_id: garbage.artifactId },
  ])
  await shop.deliver([row('2026-03-15', '1')])
  expect(await shop.list()).toEqual([])
})

test('a month is corrected by a statement that changes what was stated after its end, and by no other', async () => {
  const shop = await openShop(statements)
  const january = (amount: string, receivedAt: string) =>
    shop.deliver([row('2026-01-10', amount), row('2026-01-20', '5')], { receivedAt })
  await january('1', '2026-01-21T06:00:00Z')
  // In the company's time zone that is the first after its end.
  await january('2', '2026-01-31T23:30:00Z')
  await january('2', '2026-02-02T06:00:00Z')
  expect(await shop.list()).toEqual([])
  await january('3', '2026-02-20T06:00:00Z')
  const corrected = {
    kind: 'period_corrected',
    metric: 'revenue',
    period_start: '2026-01-01',
    since: '2026-02-20T06:00:00.000Z',
  }
  expect(await shop.list()).toMatchObject([corrected])
  expect(await shop.list(shop.reader)).toMatchObject([corrected])
  // Nothing had been stated soon after the end.
  const late = await openShop(statements)
  await late.deliver([row('2026-01-10', '1')], { receivedAt: '2026-01-31T20:00:00Z' })
  await late.deliver([row('2026-01-10', '2')], { receivedAt: '2026-02-20T06:00:00Z' })
  expect(await late.list()).toMatchObject([corrected])
  context.clock.set('2026-04-07T12:00:00Z')
  // By then it is late instead.
  expect(await shop.kinds(await shop.signIn(shop.person))).toEqual(['source_late'])
})

test('a paused source needs attention once it has refused a call', async () => {
  const shop = await openShop()
  await pauseSource(context, 'operator', shop.of.companyId, shop.of.sourceId, 'Stocktaking')
  expect(await shop.list()).toEqual([])
  await database.pool.query(
    `insert into refused_calls (company_id, call_id, caller_id, signed, source_id, channel, method, path, status, code, calls,
       called_at)
     select $1, '019cf16a-0000-7000-8000-000000000001'::uuid, $2, true, $2, 'push', 'POST', '/v1/ingest', 409, code, 3, $3
     from (values ('source_paused')) as refused (code)`,
    [shop.of.companyId, shop.of.sourceId, new Date(context.clock.now() + 1_000)],
  )
  expect(await shop.list()).toMatchObject([{ kind: 'paused_refusing', count: 3 }])
  await database.pool.query('update sources set paused_at = null, pause_reason = null where source_id = $1', [
    shop.of.sourceId,
  ])
  expect(await shop.list()).toEqual([])
})

test('connections and credentials that end are listed from 30 days before, limits from 90%, and what is not parsed', async () => {
  const shop = await openShop()
  const { connection } = await seedConnection(context, shop)
  expect(await shop.kinds()).toEqual([])
  const { companyId } = shop.of
  await database.pool.query('update credentials set ends_at = $2 where connection_id = $1', [
    connection.connectionId,
    new Date('2026-03-16T12:00:00Z'),
  ])
  await database.pool.query('insert into company_limits (company_id, connections) values ($1, 1)', [
    companyId,
  ])
  await storeDelivery(database.pool, shop.of, [row('2026-03-15', '1')], {
    receivedAt: '2026-03-15T10:00:00Z',
  })
  expect((await shop.kinds()).toSorted()).toEqual(['credential_ends', 'limit_near', 'parsing_late'])
  expect(await shop.list(shop.reader)).toEqual([])
  await worker.drain()
  context.clock.set('2027-02-20T12:00:00Z')
  const later = await shop.signIn(shop.owner)
  expect(await shop.list(later)).toMatchObject([
    { kind: 'connection_ends', connection: { connection_id: connection.connectionId } },
    { kind: 'limit_near', limit: 'connections', count: 100 },
  ])
  await database.pool.query('update connections set revoked_at = now() where connection_id = $1', [
    connection.connectionId,
  ])
  expect(await shop.list(later)).toEqual([])
})

test('a mark is for all, the first of two stands, and it ends with what is new', async () => {
  const shop = await openShop()
  await shop.deliver([row('2026-03-15', 'x')])
  const [item] = await shop.list()
  const mark = (client: typeof shop.reader, body: object) => client.post(`${shop.path}/marks`, body)
  const { key, version } = item
  // Not theirs to see.
  expect((await mark(shop.reader, { key, version, done: true })).status).toBe(404)
  const second = await shop.signIn(await seedMember(context, shop.of.companyId, { role: 'developer' }))
  const answers = [shop.developer, second].map((client) => mark(client, { key, version, done: true }))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 204])
  const [marked] = await shop.list()
  expect(marked.done).toMatchObject({ member_id: expect.any(String), at: '2026-03-15T12:00:00.000Z' })
  await mark(marked.done.member_id === shop.owner.memberId ? second : shop.developer, {
    key,
    version,
    done: true,
  })
  expect((await shop.list())[0].done).toEqual(marked.done)
  expect((await mark(second, { key, version, done: false })).status).toBe(204)
  expect(await shop.list()).toMatchObject([{ key, done: null }])
  await mark(second, { key, version, done: true })
  await shop.deliver([row('2026-03-15', 'y')])
  expect(await shop.list()).toMatchObject([{ key, done: null }])
  expect(await mark(second, { key, version, done: true })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
})

test('connections read it with metrics.read: all of the company, or what is about their source', async () => {
  const shop = await openShop()
  await shop.deliver([row('2026-03-15', 'x')])
  const read = async (options: Partial<Parameters<typeof seedConnection>[1]>) => {
    const { credential } = await seedConnection(context, { ...shop, ...options } as typeof shop)
    const headers = { authorization: `Bearer ${credential}` }
    const answer = await app.inject({ url: '/v1/attention', headers })
    const etag = String(answer.headers['etag'])
    const again = await app.inject({ url: '/v1/attention', headers: { ...headers, 'if-none-match': etag } })
    return { status: answer.statusCode, again: again.statusCode, body: answer.json() }
  }
  const item = { kind: 'rows_refused', count: 1, done_at: null }
  expect(await read({})).toMatchObject({ status: 200, again: 304, body: { items: [item], more: false } })
  expect(await read({ kind: 'sandbox' })).toMatchObject({ status: 200, body: { items: [], more: false } })
  expect(await read({ permissions: ['sources.ingest'] })).toMatchObject({ status: 403 })
})
