import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { buildApp } from '../../app/app.ts'
import { seedCompany, seedSource } from '../../../testing/in-process/seed.ts'
import { createTestContext, type TestContext } from '../../../testing/in-process/test-context.ts'
import { addDemoConnection } from './add-demo-connection.ts'
import { listConnections } from './list-connections.ts'

let database: TestDatabase
let context: TestContext
beforeAll(async () => {
  database = await createTestDatabase()
  context = createTestContext(database.pool)
})
afterAll(() => database[Symbol.asyncDispose]())

test('there is one demo connection; it reads for ever with the published credential, and cannot push', async () => {
  const { company } = await seedCompany(context)
  const { sourceId } = await seedSource(context, company.companyId)
  const app = await buildApp(context)
  const add = (credential: string) => addDemoConnection(context, company.companyId, sourceId, credential)
  const read = async (credential: string) => {
    context.clock.advance(60_000)
    const headers = { authorization: `Bearer ${credential}` }
    return (await app.inject({ url: '/v1/samples', headers })).statusCode
  }
  const connectionId = await add('nsk_demo_one')
  expect(await add('nsk_demo_one')).toBe(connectionId)
  expect(await read('nsk_demo_one')).toBe(200)
  context.clock.set('2036-01-01T00:00:00Z')
  expect(await read('nsk_demo_one')).toBe(200)

  const push = await app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: 'Bearer nsk_demo_one', 'content-type': 'application/json' },
    payload: { idempotency_key: 'k', shape_version: 1, payload: {} },
  })
  expect(push.json()).toMatchObject({ code: 'permission_denied' })

  expect(await add('nsk_demo_two')).toBe(connectionId)
  expect([await read('nsk_demo_one'), await read('nsk_demo_two')]).toEqual([401, 200])
  const { items } = await listConnections(context, 'operator', company.companyId)
  expect(items).toMatchObject([{ kind: 'demo', state: 'signed', createdBy: null, expiresAt: null }])
  await app.close()
})
