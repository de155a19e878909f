import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLanes, type Lanes } from '../database/lanes.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { inTransaction } from '../database/transaction.ts'
import { startWorkers } from '../parsing/worker/start-workers.ts'
import { createBreakableDatabase, type BreakableDatabase } from '../testing/breakable-database.ts'
import { type SeededConnection } from '../testing/seed.ts'
import { createTestContext, type TestContext } from '../testing/test-context.ts'
import { startService, type RunningService } from './start-service.ts'
import { seedScene } from '../testing/scene.ts'

// A whole service on lanes of its own, with a network in front of its database that can fail.

/** Any call is answered within ten seconds, whatever the database does; the rest is slack for a busy machine. */
const callMsMax = 15_000

const environment = {
  NUMERA_RATE_PER_MINUTE: '1000000',
  NUMERA_RATE_BURST: '100000',
  NUMERA_METRICS_PORT: '0',
  NUMERA_WORKERS: '1',
}

let database: TestDatabase
let gate: BreakableDatabase
let lanes: Lanes & AsyncDisposable
let context: TestContext
let service: RunningService
let connection: SeededConnection
beforeEach(async () => {
  database = await createTestDatabase()
  gate = await createBreakableDatabase(database.url)
  lanes = openLanes({ url: gate.url, connectionsMax: 8, name: 'numera test' })
  context = createTestContext(lanes.pool, { ...lanes, environment })
  service = await startService(context, { port: 0 })
  const straight = createTestContext(database.pool)
  ;({ connection } = await seedScene(straight, { source: {}, connection: {} }))
})
afterEach(async () => {
  gate.proxy.hear()
  await service[Symbol.asyncDispose]()
  await lanes[Symbol.asyncDispose]()
  await gate[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

interface Answered {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  body: any
}

const call = async (path: string, init: RequestInit = {}): Promise<Answered> => {
  const startedMs = performance.now()
  const answer = await fetch(`${service.url}${path}`, { ...init, signal: AbortSignal.timeout(30_000) })
  const text = await answer.text()
  expect(performance.now() - startedMs, path).toBeLessThan(callMsMax)
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${connection.credential}` })
const push = (key: string): Promise<Answered> =>
  call('/v1/ingest', {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: JSON.stringify({ idempotency_key: key, shape_version: 1, payload: { amount: '1' } }),
  })
const read = (from = '2026-01-01'): Promise<Answered> =>
  call(`/v1/samples?from=${from}`, { headers: bearer() })
const isRead = async (artifactId: string): Promise<boolean> =>
  (await call(`/v1/deliveries/${artifactId}`, { headers: bearer() })).body.state !== 'queued'
const askForToken = (): Promise<Answered> =>
  call('/oauth/token', {
    method: 'POST',
    headers: {
      authorization: 'Basic bnNjX2E6Yg==',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
const page = (): Promise<Answered> =>
  call('/console/session', { headers: { cookie: `numera_session=${'a'.repeat(43)}` } })
const ready = (): Promise<Answered> => call('/health/ready')

const pushes = (name: string): Promise<Answered>[] =>
  Array.from({ length: 12 }, (_, index) => push(`${name}-${index}`))

const storedKeys = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ idempotency_key: string }>(
    'select idempotency_key from deliveries order by idempotency_key collate "C"',
  )
  return rows.map((row) => row.idempotency_key)
}

const expectUnavailable = (answer: Answered): void => {
  expect(answer.status).toBe(503)
  expect(answer.body.code ?? answer.body.error).toMatch(/^(internal|temporarily_unavailable)$/)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
}

/** Sends again what was not taken, as a client does, and compares what is stored with what was sent. */
const expectEachStoredOnce = async (name: string, first: Answered[]): Promise<void> => {
  for (const [index, answer] of first.entries()) {
    if (answer.status !== 202) expectUnavailable(answer)
    const again = await push(`${name}-${index}`)
    expect(again.status).toBe(202)
    if (answer.status === 202) expect(again.body.artifact_id).toBe(answer.body.artifact_id)
  }
  expect(await storedKeys()).toEqual(first.map((_, index) => `${name}-${index}`).toSorted())
}

test('connections that went deaf are replaced: each call is answered within ten seconds, each 202 is stored once', async () => {
  // Every lane has connections by now.
  await Promise.all([push('deaf-0'), read(), read(), askForToken(), page(), ready()])
  gate.proxy.goDeaf({ existingOnly: true })
  const [answers, ...others] = await Promise.all([Promise.all(pushes('deaf')), read(), askForToken(), page()])
  for (const answer of others) if (answer.status >= 500) expectUnavailable(answer)
  await expect.poll(async () => (await ready()).status).toBe(200)
  expect((await push('deaf-0')).status).toBe(202)
  expect((await read()).status).toBe(200)
  expect((await askForToken()).status).toBe(401)
  await expectEachStoredOnce('deaf', answers)
}, 60_000)

test('while the database does not answer every call is 503, readiness too; afterwards all is well, each 202 stored once', async () => {
  await Promise.all([push('frozen-0'), read(), askForToken()])
  gate.proxy.goDeaf()
  const startedMs = performance.now()
  const [answers, ...others] = await Promise.all([
    Promise.all(pushes('frozen')),
    read(),
    askForToken(),
    page(),
  ])
  for (const answer of [...answers, ...others]) expectUnavailable(answer)
  await expect.poll(async () => (await ready()).status).toBe(503)
  expect(performance.now() - startedMs).toBeLessThan(2 * callMsMax)
  expect((await call('/health/live')).status).toBe(200)
  gate.proxy.hear()
  await expect.poll(async () => (await ready()).status).toBe(200)
  await expectEachStoredOnce('frozen', answers)
}, 60_000)

test('the body of a failed readiness check says nothing about the inside', async () => {
  await gate.takeAway()
  const answer = await ready()
  expectUnavailable(answer)
  expect(answer.body.message).not.toMatch(/database|migration|lane/i)
})

test('slow statements and locked rows of pages and reads hold up no push', async () => {
  const slow: Promise<unknown>[] = []
  let isHeld = true
  await inTransaction(database.pool, async (client) => {
    await client.query('lock table samples, sessions in access exclusive mode')
    // More than there are connections for: reads wait for their company's turn, pages for their lane.
    for (let calls = 0; calls < 6; calls++) slow.push(read(`2026-01-0${calls + 1}`), page())
    void Promise.all(slow).then(() => (isHeld = false))
    await expect.poll(() => lanes.pool.waitingCount).toBeGreaterThan(2)
    for (const answer of await Promise.all(pushes('meanwhile'))) expect(answer.status).toBe(202)
    await expect.poll(async () => (await ready()).status).toBe(200)
    expect(isHeld).toBe(true)
  })
  await Promise.all(slow)
}, 60_000)

test('a full disk is 503 with Retry-After and a warning in the log; once there is room, the same push is stored once', async () => {
  const warned: unknown[] = []
  context.log.warn = ((line: object) => void warned.push(line)) as typeof context.log.warn
  await database.pool.query(`
    create function no_room() returns trigger language plpgsql as $$
    begin
      raise exception using errcode = 'disk_full';
    end $$`)
  await database.pool.query('create trigger no_room before insert on deliveries execute function no_room()')
  const refused = await Promise.all(pushes('full'))
  for (const answer of refused) expectUnavailable(answer)
  expect(warned).toContainEqual(
    expect.objectContaining({ requestId: refused[0]!.headers.get('x-request-id') }),
  )
  await database.pool.query('drop trigger no_room on deliveries')
  await expectEachStoredOnce('full', refused)
})

test('a read past its five seconds is 503 with Retry-After, and its connection is free again', async () => {
  await inTransaction(database.pool, async (client) => {
    await client.query('lock table samples in access exclusive mode')
    expectUnavailable(await read())
  })
  expect((await read()).status).toBe(200)
}, 60_000)

test('a parsing thread whose connections went deaf gets others, and goes on', async () => {
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers(context))
  const before = await push('before')
  await expect.poll(() => isRead(before.body.artifact_id)).toBe(true)
  gate.proxy.goDeaf({ existingOnly: true })
  await push('after')
  const after = await push('after')
  await expect.poll(() => isRead(after.body.artifact_id), { timeout: 45_000 }).toBe(true)
}, 90_000)

test('the service, its workers and its connections stop within their bounds while the database is deaf', async () => {
  const worker = await startWorkers(context)
  await push('stop-0')
  await sleep(500)
  gate.proxy.goDeaf()
  const underWay = [push('stop-0'), push('stop-1'), read()]
  await sleep(100)
  const startedMs = performance.now()
  await service[Symbol.asyncDispose]()
  await worker[Symbol.asyncDispose]()
  await lanes[Symbol.asyncDispose]()
  expect(performance.now() - startedMs).toBeLessThan(30_000)
  for (const answer of await Promise.all(underWay)) expectUnavailable(answer)
}, 60_000)
