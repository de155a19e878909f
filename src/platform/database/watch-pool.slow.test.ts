import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBreakableDatabase } from '../../../testing/faults/breakable-database.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { getConnections, createPool, endPool } from './pool.ts'
import { inTransaction } from './transaction.ts'
import { watchPool } from './watch-pool.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

/** As a worker's: nothing but the watch, once it is begun, ends what takes long. */
const openWatched = async () => {
  const stack = new AsyncDisposableStack()
  const gate = stack.use(await createBreakableDatabase(database.url))
  const pool = createPool({ url: gate.url, pipelined: true })
  stack.defer(() => endPool(pool))
  return {
    pool,
    proxy: gate.proxy,
    watch: () => stack.use(watchPool(pool, 200, 3)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test.concurrent('the only connection is found broken in the middle of a transaction', async () => {
  await using open = await openWatched()
  const cut = inTransaction(open.pool, async (client) => {
    await client.query('select 1')
    open.proxy.goDeaf({ existingOnly: true })
    open.watch()
    await client.query('select 1')
  })
  await expect(cut).rejects.toSatisfy(isDatabaseUnavailable)
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.concurrent('a broken idle connection is replaced before it is needed', async ({ expect }) => {
  await using open = await openWatched()
  await open.pool.query('select 1')
  const [deaf] = getConnections(open.pool)
  open.proxy.goDeaf({ existingOnly: true })
  open.watch()
  await expect.poll(() => getConnections(open.pool).has(deaf!), { timeout: 10_000 }).toBe(false)
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.concurrent('a statement that the server is at work on is waited for', async () => {
  await using open = await openWatched()
  open.watch()
  const { rows } = await open.pool.query('select pg_sleep(2) is null as slept')
  expect(rows).toEqual([{ slept: false }])
})

// Not concurrent with the others, whose deadlines it would miss.
test('a thread that is busy for long loses no connection', async () => {
  await using open = await openWatched()
  open.watch()
  await inTransaction(open.pool, async (client) => {
    for (let times = 0; times < 3; times++) {
      const answer = client.query('select 1 as one')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
      expect((await answer).rows).toEqual([{ one: 1 }])
    }
  })
})
