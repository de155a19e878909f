import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPools, type Pools } from '../platform/database/pools.ts'
import { firstShard, toShardSchema } from '../platform/database/schemas.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { App } from '../platform/http/contract.ts'
import { startWorkers } from '../engine/parsing/worker/start-workers.ts'
import { startService } from './start-service.ts'
import { createBreakableDatabase, type BreakableDatabase } from '../../testing/faults/breakable-database.ts'
import { seedScene } from '../../testing/in-process/scenes/scene.ts'
import { createTestContext, type TestContext } from '../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/in-process/test-database.ts'

// A whole service on pools of its own, with a network in front of its database that can fail. Each test has its own service;
// they wait most of the time, so they run concurrently.

const environment = {
  NUMERA_RATE_PER_MINUTE: '1000000',
  NUMERA_RATE_BURST: '100000',
  NUMERA_METRICS_PORT: '0',
  NUMERA_WORKERS: '1',
}

interface Answered {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  body: any
}

/** One service, whose database can go away, and what its callers do. */
interface UnansweringScene extends AsyncDisposable {
  database: TestDatabase
  gate: BreakableDatabase
  pools: Pools & AsyncDisposable
  context: TestContext
  /** How many requests the service has begun to read. */
  requests(): number
  /** Stops the service alone. */
  stop(): Promise<void>
  /** A call, which is answered in time. */
  call(path: string, init?: RequestInit): Promise<Answered>
  push(key: string): Promise<Answered>
  /** Twelve concurrent ones. */
  pushes(name: string): Promise<Answered>[]
  read(from?: string): Promise<Answered>
  isRead(artifactId: string): Promise<boolean>
  requestToken(): Promise<Answered>
  page(): Promise<Answered>
  ready(): Promise<Answered>
  /** Sends again what was not taken, as a client does, and holds what is stored against what was sent. */
  expectEachStoredOnce(name: string, first: Answered[]): Promise<void>
}

/** Any call is answered within ten seconds in any state of the database; the rest is for a busy machine. */
const callMsMax = 15_000

const expectUnavailable = (answer: Answered): void => {
  expect(answer.status).toBe(503)
  expect(answer.body.code ?? answer.body.error).toMatch(/^(internal|temporarily_unavailable)$/)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
}

const callsTo = (url: string, credential: string, msMax: number) => {
  const call: UnansweringScene['call'] = async (path, init = {}) => {
    const startedMs = performance.now()
    const answer = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(30_000) })
    const text = await answer.text()
    expect(performance.now() - startedMs, path).toBeLessThan(msMax)
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const authorization = `Bearer ${credential}`
  const push: UnansweringScene['push'] = (key) =>
    call('/v1/ingest', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ idempotency_key: key, shape_version: 1, payload: { amount: '1' } }),
    })
  return {
    call,
    push,
    pushes: (name: string) => Array.from({ length: 12 }, (_, index) => push(`${name}-${index}`)),
    read: (from = '2026-01-01') => call(`/v1/samples?from=${from}`, { headers: { authorization } }),
    isRead: async (artifactId: string) =>
      (await call(`/v1/deliveries/${artifactId}`, { headers: { authorization } })).body.state !== 'queued',
    requestToken: () =>
      call('/oauth/token', {
        method: 'POST',
        headers: {
          authorization: 'Basic bnNjX2E6Yg==',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      }),
    page: () => call('/console/session', { headers: { cookie: `numera_session=${'a'.repeat(43)}` } }),
    ready: () => call('/health/ready'),
  }
}

const open = async (): Promise<UnansweringScene> => {
  const stack = new AsyncDisposableStack()
  try {
    const database = stack.use(await createTestDatabase())
    const gate = stack.use(await createBreakableDatabase(database.url))
    const opened = stack.use(openPools({ url: gate.url, connectionsMax: 8, name: 'numera test' }))
    const pools = {
      ...opened.at(toShardSchema(firstShard)),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
    const context = createTestContext(pools.pool, { ...pools, environment })
    let requests = 0
    const prepare = (app: App): void => void app.server.on('request', () => requests++)
    const service = stack.use(await startService(context, { port: 0, prepare }))
    stack.defer(() => gate.proxy.hear())
    const { connection } = await seedScene(createTestContext(database.pool), { source: {}, connection: {} })
    const calls = callsTo(service.url, connection.credential!, callMsMax)

    const storedKeys = async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ idempotency_key: string }>(
        'select idempotency_key from deliveries order by idempotency_key collate "C"',
      )
      return rows.map((row) => row.idempotency_key)
    }
    return {
      ...calls,
      database,
      gate,
      pools,
      context,
      requests: () => requests,
      stop: async () => service[Symbol.asyncDispose](),
      expectEachStoredOnce: async (name, first) => {
        for (const [index, answer] of first.entries()) {
          if (answer.status !== 202) expectUnavailable(answer)
          const again = await calls.push(`${name}-${index}`)
          expect(again.status).toBe(202)
          if (answer.status === 202) expect(again.body.artifact_id).toBe(answer.body.artifact_id)
        }
        expect(await storedKeys()).toEqual(first.map((_, index) => `${name}-${index}`).toSorted())
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

let opening: Promise<unknown> = Promise.resolve()

/** Concurrent calls start their services one after the other. */
const openUnansweringScene = (): Promise<UnansweringScene> => {
  const opened = opening.then(open)
  opening = opened.catch(() => {})
  return opened
}

test.concurrent('connections that stopped answering are replaced within ten seconds, and each 202 is stored once', async ({
  expect,
}) => {
  await using scene = await openUnansweringScene()
  const { gate, push, pushes, read, requestToken, page, ready, expectEachStoredOnce } = scene
  // Every pool has connections by now.
  await Promise.all([push('deaf-0'), read(), read(), requestToken(), page(), ready()])
  gate.proxy.goDeaf({ existingOnly: true })
  const [answers, ...others] = await Promise.all([
    Promise.all(pushes('deaf')),
    read(),
    requestToken(),
    page(),
  ])
  for (const answer of others) if (answer.status >= 500) expectUnavailable(answer)
  await expect.poll(async () => (await ready()).status).toBe(200)
  expect((await push('deaf-0')).status).toBe(202)
  expect((await read()).status).toBe(200)
  expect((await requestToken()).status).toBe(401)
  await expectEachStoredOnce('deaf', answers)
})

test.concurrent('while the database does not answer every call is 503, and afterwards each 202 is stored once', async ({
  expect,
}) => {
  await using scene = await openUnansweringScene()
  const { gate, call, push, pushes, read, requestToken, page, ready, expectEachStoredOnce } = scene
  await Promise.all([push('frozen-0'), read(), requestToken()])
  gate.proxy.goDeaf()
  const startedMs = performance.now()
  const [answers, ...others] = await Promise.all([
    Promise.all(pushes('frozen')),
    read(),
    requestToken(),
    page(),
  ])
  for (const answer of [...answers, ...others]) expectUnavailable(answer)
  await expect.poll(async () => (await ready()).status).toBe(503)
  expect(performance.now() - startedMs).toBeLessThan(2 * callMsMax)
  expect((await call('/health/live')).status).toBe(200)
  gate.proxy.hear()
  await expect.poll(async () => (await ready()).status).toBe(200)
  await expectEachStoredOnce('frozen', answers)
})

test.concurrent('a failed readiness check reveals no internal details', async ({ expect }) => {
  await using scene = await openUnansweringScene()
  const { gate, ready } = scene
  await gate.takeAway()
  const answer = await ready()
  expectUnavailable(answer)
  expect(answer.body.message).not.toMatch(/database|migration|queue/i)
})

test.concurrent('slow statements and locked rows of pages and reads do not delay a push', async ({
  expect,
}) => {
  await using scene = await openUnansweringScene()
  const { database, pools, pushes, read, page, ready } = scene
  const slow: Promise<unknown>[] = []
  let isHeld = true
  await inTransaction(database.pool, async (client) => {
    await client.query('lock table samples, sessions in access exclusive mode')
    // More than there are connections for: reads wait for their company's turn, and one member's pages share a look-up, so
    // statements of many others fill the pool of the pages.
    for (let calls = 0; calls < 6; calls++)
      slow.push(read(`2026-01-0${calls + 1}`), page(), pools.pool.query('select from sessions'))
    void Promise.allSettled(slow).then(() => (isHeld = false))
    await expect.poll(() => pools.pool.waitingCount).toBeGreaterThan(2)
    for (const answer of await Promise.all(pushes('meanwhile'))) expect(answer.status).toBe(202)
    await expect.poll(async () => (await ready()).status).toBe(200)
    expect(isHeld).toBe(true)
  })
  await Promise.allSettled(slow)
})

test.concurrent('a full disk is 503 with a warning in the log, and the same push is stored once afterwards', async ({
  expect,
}) => {
  await using scene = await openUnansweringScene()
  const { database, context, pushes, expectEachStoredOnce } = scene
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

test.concurrent('a read past its five seconds is 503 with Retry-After, and its connection is free again', async ({
  expect,
}) => {
  await using scene = await openUnansweringScene()
  const { database, read } = scene
  await inTransaction(database.pool, async (client) => {
    await client.query('lock table samples in access exclusive mode')
    expectUnavailable(await read())
  })
  expect((await read()).status).toBe(200)
})

test.concurrent('the service stops within its bounds while the database does not answer', async ({
  expect,
}) => {
  await using scene = await openUnansweringScene()
  const { gate, pools, context, push, read, requests, stop } = scene
  const worker = await startWorkers(context)
  await push('stop-0')
  await sleep(500)
  gate.proxy.goDeaf()
  const before = requests()
  const underWay = [push('stop-0'), push('stop-1'), read()]
  await expect.poll(requests).toBe(before + 3)
  const startedMs = performance.now()
  await stop()
  await worker[Symbol.asyncDispose]()
  await pools[Symbol.asyncDispose]()
  expect(performance.now() - startedMs).toBeLessThan(30_000)
  for (const answer of await Promise.all(underWay)) expectUnavailable(answer)
})

test.concurrent('the threads of readers replace connections that stopped answering', async ({ expect }) => {
  await using scene = await openUnansweringScene()
  const { context, gate, push, isRead } = scene
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers(context))
  const before = await push('before')
  await expect.poll(() => isRead(before.body.artifact_id)).toBe(true)
  gate.proxy.goDeaf({ existingOnly: true })
  await push('after')
  const after = await push('after')
  await expect.poll(() => isRead(after.body.artifact_id), { timeout: 45_000 }).toBe(true)
})
