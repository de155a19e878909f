import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { openPools, type OpenPools, type Pools } from './pools.ts'
import { OverloadedError } from './overloaded-error.ts'
import { connectionsWaitingMax, countAs } from './pool-shares.ts'
import { inTransaction } from './transaction.ts'

let database: TestDatabase
let opened: OpenPools
let pools: Pools
beforeAll(async () => {
  database = await createTestDatabase()
  // Four for the pages, of which one caller has two.
  opened = openPools({ url: database.url, connectionsMax: 16, name: 'test' })
  pools = opened.at('access')
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const slow = (ms: number) => pools.pool.query('select pg_sleep($1)', [ms / 1_000])
const busy = (): number => pools.pool.totalCount - pools.pool.idleCount

test('while one company sends any number of calls, another one’s call is served', async () => {
  let ended = 0
  const loud = Array.from({ length: 40 }, () => countAs('loud', () => slow(50)).then(() => ended++))
  await sleep(20)
  expect(busy()).toBe(2)
  await countAs('quiet', () => pools.pool.query('select 1'))
  await countAs('quiet', () => inTransaction(pools.pool, (client) => client.query('select 1')))
  // They take a second, two at a time.
  expect(ended).toBeLessThan(20)
  await Promise.all(loud)
})

test('a query on another connection during a transaction does not wait for its own caller', async () => {
  const nested = countAs('one', () =>
    Promise.all(
      Array.from({ length: 4 }, () =>
        inTransaction(pools.pool, async (client) => {
          await client.query('select 1')
          return (await pools.pool.query('select 1')).rowCount
        }),
      ),
    ),
  )
  expect(await nested).toEqual([1, 1, 1, 1])
})

test('a call that fails gives its connection on, and one too many is turned away', async () => {
  const failing = Array.from({ length: 10 }, () =>
    countAs('one', () => pools.pool.query('select no_such_column')).catch(
      (error: { code: string }) => error.code,
    ),
  )
  expect(new Set(await Promise.all(failing))).toEqual(new Set(['42703']))
  const many = Array.from({ length: connectionsWaitingMax + 2 }, () => countAs('one', () => slow(0)))
  await expect(countAs('one', () => slow(0))).rejects.toThrow(OverloadedError)
  await Promise.all(many)
  expect(busy()).toBe(0)
})
