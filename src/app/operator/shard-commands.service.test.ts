import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runOperatorCommand } from '../../../testing/in-process/run-operator-command.ts'
import { seedCompany } from '../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { createTestSource } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('NUMERA_MASTER_KEY', testMasterKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database[Symbol.asyncDispose]()
})

const readCompanies = async (): Promise<number[]> => {
  const { out } = await runOperatorCommand(['shards', 'list', '--json'])
  return JSON.parse(out).shards.map((shard: { companies: number }) => shard.companies)
}

test('added shards are empty, and new companies go to the one with most room', async () => {
  const context = createTestContext(database.pool)
  await seedCompany(context)
  await seedCompany(context)
  const added = await runOperatorCommand(['shards', 'add', '--count', '2'])
  expect(added).toMatchObject({ code: 0, out: 'Added shard 2, shard 3.\n', err: '' })
  expect(await readCompanies()).toEqual([2, 0, 0])
  for (let company = 0; company < 4; company++) await seedCompany(context)
  expect(await readCompanies()).toEqual([2, 2, 2])
  await database.pool.query('update shards set stored_bytes = case shard when 2 then 100 else 1000 end')
  for (let company = 0; company < 4; company++) await seedCompany(context)
  const [first, second, third] = await readCompanies()
  expect([second! > first!, second! > third!]).toEqual([true, true])
})

test('a number of shards that cannot be added changes nothing', async () => {
  const before = await readCompanies()
  for (const count of ['0', '65', '1.5', '-1', 'many', '']) {
    const refused = await runOperatorCommand(['shards', 'add', `--count=${count}`])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('--count is a number from 1 to 64.')
  }
  expect(await readCompanies()).toEqual(before)
})

test('the list says where each shard is, and how much its companies send', async () => {
  const source = await createTestSource(database.pool)
  const receivedAt = new Date().toISOString()
  for (let delivery = 0; delivery < 3; delivery++)
    await storeDelivery(database.pool, source, [], { receivedAt })
  const { out } = await runOperatorCommand(['shards', 'list', '--json'])
  const [first, second] = JSON.parse(out).shards
  expect(first).toMatchObject({
    node: expect.stringMatching(/^(?:127\.0\.0\.1:\d+|\/.+)$/),
    deliveries_per_second: 0.05,
  })
  expect(second).toMatchObject({ deliveries_per_second: 0 })
})
