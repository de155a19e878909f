import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/in-process/test-database.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { buildApp } from './app.ts'
import type { App, Guard } from '../platform/http/contract.ts'

let database: TestDatabase
let app: App
beforeAll(async () => {
  database = await createTestDatabase()
  app = await buildApp(createTestContext(database.pool))
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await database[Symbol.asyncDispose]()
})

const listAddresses = (guard: Guard): { method: 'GET' | 'POST'; url: string }[] =>
  app.routes.entries
    .filter((entry) => entry.contract?.guard === guard)
    .map(({ method, pattern }) => ({
      method: method as 'GET' | 'POST',
      url: pattern.replaceAll(/:[a-z_]+/g, '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11'),
    }))

test('every route that takes a bearer refuses callers without one', async () => {
  const addresses = listAddresses('bearer')
  expect(addresses.length).toBeGreaterThan(0)
  for (const address of addresses) {
    const without = await app.inject(address)
    expect(without.statusCode, `${address.method} ${address.url}`).toBe(401)
    expect(without.headers['www-authenticate']).toMatch(/^Bearer resource_metadata="[^"]+"$/)
    const unknown = await app.inject({ ...address, headers: { authorization: 'Bearer nat_unknown' } })
    expect(unknown.statusCode, `${address.method} ${address.url}`).toBe(401)
    expect(unknown.headers['www-authenticate']).toContain('error="invalid_token"')
  }
})

test('every route that takes a signature refuses callers without one, with any credential', async () => {
  const addresses = listAddresses('signature')
  expect(addresses.length).toBeGreaterThan(0)
  for (const address of addresses) {
    const answer = await app.inject({ ...address, headers: { authorization: 'Bearer nsk_unknown' } })
    expect(answer.statusCode, `${address.method} ${address.url}`).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Service-Signature')
  }
})

test('every route of the pages refuses callers who are not signed in', async () => {
  const addresses = listAddresses('session')
  expect(addresses.length).toBeGreaterThan(0)
  for (const address of addresses) {
    const answer = await app.inject({
      ...address,
      headers: {
        origin: 'http://localhost:8080',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      ...(['GET', 'HEAD'].includes(address.method) ? {} : { payload: '{}' }),
    })
    expect(answer.statusCode, `${address.method} ${address.url}`).toBe(401)
  }
})
