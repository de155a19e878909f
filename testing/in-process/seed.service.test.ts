import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { seedCompany, seedConnection, seedSource } from './seed.ts'
import { createTestContext, type TestContext } from './test-context.ts'

let database: TestDatabase
let context: TestContext
beforeAll(async () => {
  database = await createTestDatabase()
  context = createTestContext(database.pool)
})
afterAll(() => database[Symbol.asyncDispose]())

test('a seeded connection is signed for a year and has its credential', async () => {
  const { company, owner } = await seedCompany(context)
  const source = await seedSource(context, company.companyId)
  const { connection, secret, clientId, credential } = await seedConnection(context, {
    company,
    owner,
    source,
    credentialKind: 'client',
  })
  expect(connection).toMatchObject({
    state: 'signed',
    source: { name: 'Shop' },
    createdBy: { name: 'Olivia Ägare' },
  })
  expect(connection.expiresAt?.getTime()).toBe(Date.parse('2027-01-15T12:00:00Z'))
  expect(secret).toMatch(/^ncs_\w{43}$/)
  expect(clientId).toBe(connection.clientId)
  expect(credential).toBeUndefined()
})
