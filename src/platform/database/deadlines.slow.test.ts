import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerFor } from '../http/errors/to-api-error.ts'
import { createBreakableDatabase } from '../../../testing/faults/breakable-database.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { createPool, endPool, type PoolOptions } from './pool.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { inTransaction } from './transaction.ts'

// Most of their time is waiting, which they do side by side.

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('create table locked (id integer primary key)')
  await database.pool.query('insert into locked values (1), (2)')
})
afterAll(() => database[Symbol.asyncDispose]())

const openPool = (options: Partial<PoolOptions> = {}) => {
  const pool = createPool({ url: database.url, ...options })
  return { pool, [Symbol.asyncDispose]: () => endPool(pool) }
}

/** Longer than a test may take. */
const forever = 'select pg_sleep(1000)'

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const expectUnavailable = (thrown: unknown): void => {
  const { error, kind } = answerFor(thrown)
  expect({ status: error.status, code: error.code, kind }).toEqual({
    status: 503,
    code: 'internal',
    kind: 'unavailable',
  })
  expect(Number(error.headers['Retry-After'])).toBeGreaterThanOrEqual(1)
}

test.concurrent('a statement past its time is 503 with Retry-After, and the next one succeeds', async () => {
  await using open = openPool({ statementTimeoutMs: 1_000, connectionsMax: 1 })
  const thrown = await thrownBy(open.pool.query(forever))
  expect(thrown).toMatchObject({ code: '57014' })
  expectUnavailable(thrown)
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.concurrent('a lock that another transaction keeps is 503 with Retry-After, and the next statement succeeds', async () => {
  await using open = openPool({ lockTimeoutMs: 50, connectionsMax: 1 })
  await inTransaction(database.pool, async (client) => {
    await client.query('select from locked where id = 1 for update')
    const thrown = await thrownBy(
      inTransaction(open.pool, (other) => other.query('update locked set id = 3 where id = 1')),
    )
    expect(thrown).toMatchObject({ code: '55P03' })
    expectUnavailable(thrown)
  })
  expect((await open.pool.query('select id from locked order by id')).rows).toEqual([{ id: 1 }, { id: 2 }])
})

test.concurrent('a transaction in which nothing is sent is ended by the server, is 503, and keeps no lock', async () => {
  await using open = openPool({ idleInTransactionMs: 500 })
  const thrown = await thrownBy(
    inTransaction(open.pool, async (client) => {
      await client.query('select from locked where id = 2 for update')
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      await client.query('select 1')
    }),
  )
  expectUnavailable(thrown)
  await database.pool.query('select from locked where id = 2 for update nowait')
})

test.concurrent('a transaction past its time is cut as a whole, is 503, and its connection is replaced', async () => {
  await using open = openPool({ transactionMsMax: 3_000, connectionsMax: 1 })
  let statements = 0
  const thrown = await thrownBy(
    inTransaction(open.pool, async (client) => {
      for (;;) {
        await client.query('select pg_sleep(0.01)')
        statements++
      }
    }),
  )
  expect(statements).toBeGreaterThan(0)
  expectUnavailable(thrown)
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.concurrent('no free connection in time is 503 with Retry-After', async () => {
  await using open = openPool({ connectTimeoutMs: 50, connectionsMax: 1 })
  const busy = thrownBy(open.pool.query(forever))
  expectUnavailable(await thrownBy(open.pool.query('select 1')))
  await endPool(open.pool).catch(() => {})
  expect(isDatabaseUnavailable(await busy)).toBe(true)
})

test.concurrent('a connection without answers costs one deadline, not one for each connection, and is replaced', async () => {
  await using gate = await createBreakableDatabase(database.url)
  await using open = openPool({ url: gate.url, statementTimeoutMs: 1_000, connectionsMax: 5 })
  const all = () => Promise.all(Array.from({ length: 5 }, () => open.pool.query('select pg_sleep(0.05)')))
  await all()
  expect(open.pool.totalCount).toBe(5)
  gate.proxy.goDeaf({ existingOnly: true })
  expectUnavailable(await thrownBy(open.pool.query('select 1')))
  // The four others were deaf too, and none of the next five calls got one.
  await all()
})

test.concurrent('a connection that goes deaf inside a transaction is abandoned, and its place is free immediately', async () => {
  await using gate = await createBreakableDatabase(database.url)
  await using open = openPool({ url: gate.url, statementTimeoutMs: 1_000, connectionsMax: 1 })
  const thrown = await thrownBy(
    inTransaction(open.pool, async (client) => {
      await client.query('select 1')
      gate.proxy.goDeaf({ existingOnly: true })
      await client.query('select 1')
    }),
  )
  expectUnavailable(thrown)
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.concurrent('a pipelined connection that goes deaf rejects all that was sent on it', async () => {
  await using gate = await createBreakableDatabase(database.url)
  await using open = openPool({
    url: gate.url,
    statementTimeoutMs: 1_000,
    connectionsMax: 1,
    pipelined: true,
  })
  const rejected: unknown[] = []
  await thrownBy(
    inTransaction(open.pool, async (client) => {
      gate.proxy.goDeaf({ existingOnly: true })
      const sent = Array.from({ length: 3 }, () => client.query('select 1'))
      for (const answer of sent) rejected.push(await thrownBy(answer))
      throw rejected[0]
    }),
  )
  expect(rejected.map(isDatabaseUnavailable)).toEqual([true, true, true])
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.concurrent('a server that takes connections and never answers them is 503', async () => {
  await using gate = await createBreakableDatabase(database.url)
  await using open = openPool({ url: gate.url })
  gate.proxy.goDeaf()
  expectUnavailable(await thrownBy(open.pool.query('select 1')))
  gate.proxy.hear()
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.concurrent('a pool ends while its server is deaf, with any statement in progress', async () => {
  await using gate = await createBreakableDatabase(database.url)
  const pool = createPool({ url: gate.url, connectionsMax: 3 })
  await Promise.all([pool.query('select pg_sleep(0.05)'), pool.query('select pg_sleep(0.05)')])
  const client = await pool.connect()
  client.on('error', () => {})
  gate.proxy.goDeaf()
  const underWay = [thrownBy(pool.query('select 1')), thrownBy(client.query('select 1'))]
  await endPool(pool)
  for (const thrown of await Promise.all(underWay)) expect(isDatabaseUnavailable(thrown)).toBe(true)
  client.release(true)
})
