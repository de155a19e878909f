import { afterAll, beforeAll, expect, test } from 'vitest'
import { createShiftedClock } from '../platform/clock/clock.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/in-process/test-database.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { buildApp } from './app.ts'
import { startMetricsServer } from '../platform/telemetry/metrics-server.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

test('metrics of the service are on a port of their own: answers by route, refusals by code', async () => {
  const context = createTestContext(database.pool)
  const app = await buildApp(context)
  await using server = await startMetricsServer(context.telemetry, { host: '127.0.0.1', port: 0 })
  await app.inject({ url: '/v1/nothing' })
  await app.inject({ url: '/health/live' })
  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`)
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  expect(text).toContain('numera_error_answers_total{code="not_found"} 1')
  expect(text).toContain('numera_http_seconds_count{route="/health/live",method="GET",status="200"} 1')
  expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404)
  expect((await app.inject({ url: '/metrics' })).statusCode).toBe(404)
  await app.close()
})

test('the clock can be read and moved only in a service that was started for tests', async () => {
  const closed = await buildApp(createTestContext(database.pool))
  expect((await closed.inject({ url: '/test/clock' })).statusCode).toBe(404)
  await closed.close()

  const context = createTestContext(database.pool, { clock: createShiftedClock({ now: () => 1_000_000 }) })
  const app = await buildApp({ ...context, config: { ...context.config, testClock: true } })
  const move = async (payload: object): Promise<{ statusCode: number; now: string }> => {
    const answer = await app.inject({ method: 'POST', url: '/test/clock', payload })
    return { statusCode: answer.statusCode, ...answer.json() }
  }
  expect((await app.inject({ url: '/test/clock' })).json()).toEqual({ now: '1970-01-01T00:16:40.000Z' })
  expect(await move({ advance_seconds: 60 })).toMatchObject({ now: '1970-01-01T00:17:40.000Z' })
  expect(await move({ set: '2026-03-29T02:00:00+01:00' })).toMatchObject({ now: '2026-03-29T01:00:00.000Z' })
  expect(context.clock.now()).toBe(Date.parse('2026-03-29T01:00:00Z'))
  expect(await move({ set: 'tomorrow' })).toMatchObject({
    statusCode: 400,
    code: 'invalid_argument',
    field: 'set',
  })
  expect(await move({ advance: 1 })).toMatchObject({ statusCode: 400, field: 'advance' })
  await app.close()
})
