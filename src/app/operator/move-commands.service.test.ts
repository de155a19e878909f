import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runOperatorCommand } from '../../../testing/in-process/run-operator-command.ts'
import { seedCompany, seedSource } from '../../../testing/in-process/seed.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'
import { addShards } from '../../platform/database/migrations/migrate.ts'

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

const addCompany = async (storedBytes: number): Promise<string> => {
  const context = createTestContext(database.pool)
  const { company } = await seedCompany(context)
  const { companyId, orgnr } = company
  const { sourceId } = await seedSource(context, companyId)
  await storeDelivery(database.pool, { companyId, sourceId }, [{ at: '2026-02-01', amount: '1' }])
  await database.pool.query(`insert into company_usage (company_id, stored_bytes) values ($1, $2)`, [
    companyId,
    storedBytes,
  ])
  return orgnr
}

const run = (words: string) => runOperatorCommand(['shards', ...words.split(' ')])

test('companies move by a command, and a shard is split', async () => {
  const [first] = [await addCompany(100), await addCompany(60), await addCompany(40)]
  await addShards({ url: database.url, count: 1 })

  expect(await run(`move-company --company ${first} --to 1`)).toMatchObject({
    code: 1,
    err: 'The company is in this shard already.\n',
  })
  expect(await run(`move-company --company ${first} --to 9`)).toMatchObject({
    code: 1,
    err: 'There is no such shard.\n',
  })
  expect((await run('split --shard 1 --to one')).code).toBe(1)
  const moved = await run(`move-company --company ${first} --to 2`)
  expect(moved).toMatchObject({ code: 0, err: '' })
  expect(moved.out).toMatch(/^Moved from shard 1 to shard 2; deliveries waited for \d+ ms at most\.\n$/)
  const { shards, moves } = JSON.parse((await run('list --json')).out)
  expect(shards).toMatchObject([
    { companies: 2, stored_bytes: 100 },
    { companies: 1, stored_bytes: 100 },
  ])
  expect(moves).toMatchObject([{ from: 1, to: 2, phase: 'moved' }])

  expect((await run('split --shard 1 --to 2')).out).toBe(
    'Moved 0 companies with 0 stored bytes from shard 1 to shard 2.\n',
  )
  await database.pool.query('update shards set companies = case shard when 1 then 0 else 9 end')
  const large = await addCompany(120)
  await addCompany(90)
  const split = JSON.parse((await run('split --shard 1 --to 2 --json')).out)
  expect(split).toMatchObject({ from: 1, to: 2, moved: [{ stored_bytes: 90 }] })
  expect(split.moved[0].orgnr).not.toBe(large)
})
