import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runOperatorCommand } from '../../../testing/in-process/run-operator-command.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'
import { addShards } from '../../platform/database/migrations/migrate.ts'
import { createPool } from '../../platform/database/pool.ts'
import { buildApp } from '../app.ts'

const stack = new AsyncDisposableStack()
let from: TestDatabase
let to: TestDatabase
let bearer: string
beforeAll(async () => {
  from = stack.use(await createTestDatabase())
  to = stack.use(await createTestDatabase({ empty: true }))
  await addShards({ url: from.url, count: 1 })
  vi.stubEnv('DATABASE_URL', from.url)
  vi.stubEnv('NUMERA_MASTER_KEY', testMasterKey)
  const { connection } = await seedScene(createTestContext(from.pool), { source: {}, connection: {} })
  bearer = connection.credential!
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await stack.disposeAsync()
})

const push = async (database: TestDatabase, key: string): Promise<{ status: number; receipt: unknown }> => {
  await using app = await buildApp(createTestContext(database.pool))
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: `Bearer ${bearer}` },
    payload: { idempotency_key: key, shape_version: 1, payload: [{ at: '2026-02-01', amount: '1' }] },
  })
  return { status: answer.statusCode, receipt: answer.json() }
}

const readNumbers = async (database: TestDatabase): Promise<number[]> => {
  const { rows } = await database.pool.query<{ number: string }>(
    'select receive_number::text as number from deliveries order by idempotency_key',
  )
  return rows.map(({ number }) => Number(number))
}

test('a deployment continues in the other database, with its deliveries, keys and order', async () => {
  const first = await push(from, 'key 1')
  const copied = await runOperatorCommand(['distribute', '--to', to.url])
  expect(copied).toMatchObject({ code: 0, err: '' })
  expect(copied.out).toMatch(/^Copied \d+ rows of \d+ tables, and compared them\./)

  expect(await push(to, 'key 1')).toEqual(first)
  expect((await push(to, 'key 2')).status).toBe(202)
  const [one, two, ...others] = await readNumbers(to)
  expect(two).toBeGreaterThan(one!)
  expect(others).toEqual([])
  const { rows } = await to.pool.query('select shard from shards order by shard')
  expect(rows).toEqual([{ shard: 1 }, { shard: 2 }])
})

test('a copy that was interrupted is resumed, and what is there already is not copied again', async () => {
  await using other = await createTestDatabase({ empty: true })
  expect((await runOperatorCommand(['distribute', '--to', other.url])).code).toBe(0)
  await other.pool.query('delete from backlog; delete from deliveries')
  const resumed = JSON.parse((await runOperatorCommand(['distribute', '--to', other.url, '--json'])).out)
  expect(resumed.tables_copied_before).toBeGreaterThan(5)
  expect(await readNumbers(other)).toEqual(await readNumbers(from))
})

test('a database with rows of its own is refused and keeps them', async () => {
  await using other = await createTestDatabase()
  await seedScene(createTestContext(other.pool), { source: {} })
  const refused = await runOperatorCommand(['distribute', '--to', other.url])
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('give an empty database')
  const { rows } = await other.pool.query('select from companies')
  expect(rows).toHaveLength(1)
})

test('nothing is copied while a service runs, and a URL that is none is refused', async () => {
  await using pool = Object.assign(createPool({ url: from.url, name: 'numera serve accept' }), {
    [Symbol.asyncDispose]: () => pool.end(),
  })
  await pool.query('select')
  const refused = await runOperatorCommand(['distribute', '--to', to.url])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Stop the services first') })
  const wrong = await runOperatorCommand(['distribute', '--to', 'coordinator'])
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('--to is a URL') })
})

test('a dry run lists the tables and creates nothing', async () => {
  await using other = await createTestDatabase({ empty: true })
  const { code, out } = await runOperatorCommand(['distribute', '--dry-run', '--to', other.url])
  expect(code).toBe(0)
  expect(out).toMatch(/shard_1\.deliveries +1\b/)
  const { rows } = await other.pool.query(`select from pg_namespace where nspname = 'directory'`)
  expect(rows).toHaveLength(0)
})
