import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../platform/database/pool.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { buildApp } from '../../app/app.ts'
import { createBreakableDatabase } from '../../../testing/faults/breakable-database.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCompany,
  seedSource,
} from '../../../testing/in-process/seed.ts'
import { createTestContext, type TestContext } from '../../../testing/in-process/test-context.ts'
import { createCallRecords, type CallRecord } from './call-records.ts'

let database: TestDatabase
let context: TestContext
let connectionId: string
let token: string
beforeAll(async () => {
  database = await createTestDatabase()
  context = createTestContext(database.pool)
  const { company, owner } = await seedCompany(context)
  await seedSource(context, company.companyId)
  const connection = await seedAppConnection(context, { app: await seedApp(context), member: owner })
  connectionId = connection.connectionId
  token = (await seedAppToken(context, connection)).accessToken
})
afterAll(() => database[Symbol.asyncDispose]())

const record = (): CallRecord => ({
  connectionId,
  companyId: null,
  method: 'GET',
  path: '/v1/companies',
  status: 200,
  code: null,
  calledAtMs: context.clock.now(),
})

const count = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ calls: string }>('select count(*) as calls from app_calls')
  return Number(rows[0]!.calls)
}

const lost = async (): Promise<number> => (await context.telemetry.appCallsUnrecorded.get()).values[0]!.value

/** A context whose database can be taken away; the test's own cannot. */
const behindGate = async () => {
  const gate = await createBreakableDatabase(database.url)
  const pool = createPool({ url: gate.url })
  return {
    gate,
    records: (waitingMax: number) => createCallRecords({ ...context, pool }, { everyMs: 20, waitingMax }),
    [Symbol.asyncDispose]: async () => {
      await pool.end()
      await gate[Symbol.asyncDispose]()
    },
  }
}

test('a full batch is written immediately in one statement', async () => {
  const before = await count()
  const records = createCallRecords(context, { everyMs: 60_000 })
  for (let calls = 0; calls < 500; calls++) records.add(record())
  await expect.poll(count).toBe(before + 500)
  records.add(record())
  await records[Symbol.asyncDispose]()
  expect(await count()).toBe(before + 501)
})

test('what was answered before a shutdown is on record after it', async () => {
  const before = await count()
  const app = await buildApp(context)
  const { statusCode } = await app.inject({
    url: '/v1/companies',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(statusCode).toBe(200)
  await app.close()
  expect(await count()).toBe(before + 1)
})

test('while the database is away they are kept, and written when it is back, each once', async () => {
  await using behind = await behindGate()
  const before = await count()
  const records = behind.records(1_000)
  await behind.gate.takeAway()
  for (let calls = 0; calls < 700; calls++) records.add(record())
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await count()).toBe(before)
  await behind.gate.giveBack()
  await expect.poll(count).toBe(before + 700)
  await records[Symbol.asyncDispose]()
  expect(await count()).toBe(before + 700)
})

test('beyond the bound they are lost, and counted', async () => {
  await using behind = await behindGate()
  const [before, lostBefore] = [await count(), await lost()]
  const records = behind.records(10)
  await behind.gate.takeAway()
  for (let calls = 0; calls < 13; calls++) records.add(record())
  expect(await lost()).toBe(lostBefore + 3)
  await behind.gate.giveBack()
  await expect.poll(count).toBe(before + 10)
  await records[Symbol.asyncDispose]()
})

test('what a shutdown cannot write is counted as lost, and the shutdown ends', async () => {
  await using behind = await behindGate()
  const lostBefore = await lost()
  const records = behind.records(10)
  await behind.gate.takeAway()
  records.add(record())
  await records[Symbol.asyncDispose]()
  expect(await lost()).toBe(lostBefore + 1)
})

test('a call is answered while its record cannot be written', async () => {
  const pool = createPool({ url: database.url })
  const app = await buildApp({ ...context, pool }, { recordEveryMs: 20 })
  const blocker = await database.pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table app_calls in access exclusive mode')
  const before = await app.inject({ url: '/v1/companies', headers: { authorization: `Bearer ${token}` } })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const during = await app.inject({ url: '/v1/companies', headers: { authorization: `Bearer ${token}` } })
  expect([before.statusCode, during.statusCode]).toEqual([200, 200])
  await blocker.query('rollback')
  blocker.release()
  await app.close()
  await pool.end()
})

test('a batch whose commit was never confirmed is recorded once, and so are the calls that followed', async () => {
  const before = await count()
  let answersLost = 1
  const query = async (...words: unknown[]): Promise<unknown> => {
    const result: unknown = await Reflect.apply(database.pool.query, database.pool, words)
    if (answersLost-- > 0) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
    return result
  }
  const pool = { query } as unknown as TestContext['pool']
  const records = createCallRecords({ ...context, pool }, { everyMs: 20 })
  for (let calls = 0; calls < 3; calls++) records.add(record())
  await expect.poll(count).toBe(before + 3)
  for (let calls = 0; calls < 2; calls++) records.add(record())
  await expect.poll(count).toBe(before + 5)
  await records[Symbol.asyncDispose]()
  expect(await count()).toBe(before + 5)
})
