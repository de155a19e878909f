import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineStatement } from './define-statement.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { createPool } from './pool.ts'
import { isOnCitus } from '../../../testing/process/databases.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { inTransaction } from './transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.alter('create table balances (id integer primary key, amount numeric not null)')
})
afterAll(() => database[Symbol.asyncDispose]())

const selectAmount = defineStatement<{ amount: string }, [number]>(
  'test.amount_of',
  'select amount from balances where id = $1',
)

test('What a transaction did is there when it returns, and gone when it throws', async () => {
  const insert = 'insert into balances (id, amount) values ($1, $2)'
  await inTransaction(database.pool, (client) => client.query(insert, [1, '10.50']))
  const failing = inTransaction(database.pool, async (client) => {
    await client.query(insert, [2, '1'])
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await selectAmount.first(database.pool, [1])).toEqual({ amount: '10.50' })
  expect(await selectAmount.rows(database.pool, [2])).toEqual([])
})

// Citus ends one of them by itself, as if someone had cancelled it.
test.skipIf(isOnCitus())('A transaction that lost to a deadlock runs again', async () => {
  await database.pool.query('insert into balances (id, amount) values (11, 0), (12, 0)')
  let runs = 0
  const bothAreIn = Promise.withResolvers<void>()
  let inside = 0
  const add = (first: number, second: number): Promise<unknown> =>
    inTransaction(database.pool, async (client) => {
      runs++
      await client.query('update balances set amount = amount + 1 where id = $1', [first])
      if (++inside === 2) bothAreIn.resolve()
      await bothAreIn.promise
      await client.query('update balances set amount = amount + 1 where id = $1', [second])
    })
  await Promise.all([add(11, 12), add(12, 11)])
  expect(runs).toBe(3)
  expect(await selectAmount.first(database.pool, [11])).toEqual({ amount: '2' })
})

test('A connection that breaks between two statements rejects, and the pool still works', async () => {
  const broken = inTransaction(database.pool, async (client) => {
    const { rows } = await client.query('select pg_backend_pid() as pid')
    await database.pool.query('select pg_terminate_backend($1::integer)', [rows[0].pid])
    await new Promise((resolve) => setTimeout(resolve, 50))
    await client.query('select 1')
  })
  await expect(broken).rejects.toSatisfy(isDatabaseUnavailable)
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('A database that is not there is unavailable; one that refuses a statement is not', async () => {
  const nowhere = createPool({ url: 'postgresql://a:b@127.0.0.1:1/c' })
  await expect(nowhere.query('select 1')).rejects.toSatisfy(isDatabaseUnavailable)
  await nowhere.end()
  await expect(database.pool.query('select 1 / 0')).rejects.not.toSatisfy(isDatabaseUnavailable)
})

test('Numbers and days come as text, exact; instants as dates', async () => {
  const { rows } = await database.pool.query(`
    select 123456789012345678901234567890.123456789012345678::numeric as n, 9007199254740993::int8 as i,
      '2026-02-28'::date as d, '2026-02-28T12:00:00+02'::timestamptz as t,
      '{1.5,NULL}'::numeric[] as ns, '{}'::date[] as ds`)
  expect(rows[0]).toEqual({
    n: '123456789012345678901234567890.123456789012345678',
    i: '9007199254740993',
    d: '2026-02-28',
    t: new Date('2026-02-28T10:00:00Z'),
    ns: ['1.5', null],
    ds: [],
  })
})

test('Two statements cannot have one name', () => {
  defineStatement('test.twice', 'select 1')
  expect(() => defineStatement('test.twice', 'select 2')).toThrow('two statements are named test.twice')
})
