import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { release } from '../platform/config/release.ts'
import { createPool } from '../platform/database/pool.ts'
import { createTestDatabase } from '../../testing/in-process/test-database.ts'
import { createBreakableDatabase } from '../../testing/faults/breakable-database.ts'
import { openRaw } from '../../testing/process/raw-connection.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'
import { buildApp } from './app.ts'
import { closeMsMax, startService } from './start-service.ts'

const { database } = await startTestService()

test('while the database is unavailable a call is 503 internal with Retry-After', async () => {
  await using gate = await createBreakableDatabase(database.url)
  const pool = createPool({ url: gate.url })
  const other = await buildApp(createTestContext(pool))
  try {
    const push = () =>
      other.inject({ method: 'POST', url: '/v1/ingest', headers: { authorization: 'Bearer nsk_none' } })
    const token = () =>
      other.inject({
        method: 'POST',
        url: '/oauth/token',
        headers: { authorization: 'Basic YTpi', 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'grant_type=client_credentials',
      })
    const ready = () => other.inject({ url: '/health/ready' })
    expect((await push()).statusCode).toBe(401)
    await expect.poll(async () => (await ready()).statusCode).toBe(200)

    await gate.takeAway()
    const refused = await push()
    expect(refused.statusCode).toBe(503)
    expect(refused.json()).toMatchObject({ code: 'internal' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    const tokenRefused = await token()
    expect(tokenRefused.statusCode).toBe(503)
    expect(tokenRefused.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.any(String),
    })
    expect(Number(tokenRefused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    await expect.poll(async () => (await ready()).statusCode).toBe(503)
    expect((await other.inject({ url: '/health/live' })).statusCode).toBe(200)

    await gate.giveBack()
    expect((await push()).statusCode).toBe(401)
    expect((await token()).statusCode).toBe(401)
    await expect.poll(async () => (await ready()).statusCode).toBe(200)
  } finally {
    await other.close()
    await pool.end()
  }
})

test('a database without this version’s migrations is not ready', async () => {
  await using empty = await createTestDatabase({ empty: true })
  await using behind = await createTestDatabase()
  await behind.pool.query('delete from migrations where number = (select max(number) from migrations)')
  for (const { pool } of [empty, behind]) {
    const other = await buildApp(createTestContext(pool))
    expect((await other.inject({ url: '/health/ready' })).statusCode).toBe(503)
    await other.close()
  }
})

test('a process stays ready on newer expands, and after a contract of a later release says why it is not', async () => {
  await using shared = await createTestDatabase()
  await using stack = new AsyncDisposableStack()
  const other = await buildApp(createTestContext(shared.pool))
  stack.defer(() => other.close())
  const ready = () => other.inject({ url: '/health/ready' })
  const addNewer = (contract: string | null) =>
    shared.pool.query(
      `insert into migrations (number, name, sha256, applied_at, contract)
       select max(number) + 1, 'newer', 'x', now(), $1 from migrations`,
      [contract],
    )
  await addNewer(null)
  expect((await ready()).json()).toEqual({ status: 'ready', version: release })
  await addNewer(release)
  // Longer than an answer is cached.
  await sleep(600)
  expect((await ready()).statusCode).toBe(200)
  await addNewer('999.0.0')
  await expect
    .poll(async () => (await ready()).json())
    .toMatchObject({
      code: 'internal',
      message: expect.stringMatching(
        /^The database has the contract shard\/\d{6}_newer of release 999\.0\.0, and this process is of /,
      ),
    })
  const answer = await ready()
  expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([503, true])
})

test('a request that never ends is cut off when the service stops', async () => {
  const service = await startService(
    createTestContext(database.pool, { environment: { NUMERA_METRICS_PORT: '0' } }),
    { port: 0, requestsEndMsMax: 100 },
  )
  const begun = await openRaw(service.url)
  begun.send(
    'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\ngrant',
  )
  // A request sent afterwards is answered, so the service has read this one’s head.
  const other = await openRaw(service.url)
  other.send('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(await other.untilClosed()).toContain('HTTP/1.1 200')
  const startedMs = performance.now()
  const stopped = service[Symbol.asyncDispose]()
  // Half a request gets no answer.
  expect(await begun.untilClosed()).toBe('')
  const cutMs = performance.now() - startedMs
  expect(cutMs).toBeGreaterThan(90)
  await stopped
  // Otherwise stopping would have waited for its maximum.
  expect(performance.now() - startedMs - cutMs).toBeLessThan(closeMsMax)
})

test('a process that stops is not ready for a while, takes calls meanwhile, and ends their connections', async () => {
  const service = await startService(
    createTestContext(database.pool, {
      environment: { NUMERA_METRICS_PORT: '0', NUMERA_DRAIN_SECONDS: '2' },
    }),
    { port: 0 },
  )
  // Of a balancer that keeps it open.
  const kept = await openRaw(service.url)
  const startedMs = performance.now()
  const stopped = service[Symbol.asyncDispose]()
  kept.send('GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await kept.untilClosed()).toContain('HTTP/1.1 503')
  const newcomer = await openRaw(service.url)
  newcomer.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await newcomer.untilClosed()).toContain('HTTP/1.1 200')
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  await stopped
  expect(performance.now() - startedMs).toBeGreaterThan(1_990)
  await expect(openRaw(service.url)).rejects.toThrow()
})
