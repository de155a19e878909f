import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../testing/in-process/test-database.ts'
import { buildApp } from '../../app/app.ts'
import { seedApp, seedAppConnection, seedCompany } from '../../../testing/in-process/seed.ts'
import { createTestContext, type TestContext } from '../../../testing/in-process/test-context.ts'
import { findApp, touchApp } from './app.ts'
import { deleteUnusedApps } from './expiry.ts'
import {
  second,
  hour,
  day,
  good,
  expectRefused,
  expectTooMany,
  getStatuses,
  times,
  startRegistrationScene,
} from '../../../testing/in-process/scenes/registration-scene.ts'

const { database, context, app, register, countApps } = await startRegistrationScene()

describe('POST /oauth/register', () => {
  test('answers 201 with the registered app and no secret', async () => {
    const answer = await register()
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      client_id: expect.stringMatching(/^app_[0-9A-Za-z]{22}$/),
      client_id_issued_at: Math.floor(context.clock.now() / 1_000),
      ...good,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  test('stores what is registered byte for byte', async () => {
    const fields = {
      client_name: 'Räkna {"a,b"} \\ ',
      redirect_uris: ['https://App.example.com:443/a/../b?x={"1,2"}&y=%7E', 'https://other.example.com'],
    }
    const { client_id: clientId } = (await register(fields)).json()
    expect(await findApp(context, clientId)).toEqual({
      clientId,
      clientName: fields.client_name,
      redirectUris: fields.redirect_uris,
    })
  })

  test('gives each registration an id of its own', async () => {
    const answers = await Promise.all(times(3, () => register()))
    expect(new Set(answers.map((answer) => answer.json().client_id)).size).toBe(3)
  })

  test('accepts any text where an id is looked up', async () => {
    for (const text of [
      '',
      'app_',
      `app_${'a'.repeat(22)}`,
      '\0',
      "app_'; drop table apps",
      'x'.repeat(100_000),
    ]) {
      expect(await findApp(context, text)).toBeUndefined()
    }
  })

  test('refuses invalid metadata with 400 invalid_client_metadata', async () => {
    expectRefused(await register({ ...good, client_name: '' }), 400, 'invalid_client_metadata')
    expectRefused(await register('{'), 400, 'invalid_client_metadata')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expectRefused(await register('client_name=a', '192.0.2.1', form), 400, 'invalid_client_metadata')
  })

  test('refuses a missing body with 400 invalid_client_metadata', async () => {
    const answer = await app.inject({ method: 'POST', url: '/oauth/register' })
    expectRefused(answer, 400, 'invalid_client_metadata')
  })

  test('refuses an invalid address with 400 invalid_redirect_uri', async () => {
    const fields = { ...good, redirect_uris: ['https://app.example.com/callback#'] }
    expectRefused(await register(fields), 400, 'invalid_redirect_uri')
  })

  test('reveals no internal details with 503 and 500', async () => {
    for (const [code, status, error] of [
      ['ECONNREFUSED', 503, 'temporarily_unavailable'],
      ['23505', 500, 'server_error'],
    ] as const) {
      const query = () => Promise.reject(Object.assign(new Error('a hidden detail'), { code }))
      const broken = await buildApp({
        ...context,
        pool: Object.assign(Object.create(context.pool), { query }) as TestContext['pool'],
      })
      const answer = await broken.inject({ method: 'POST', url: '/oauth/register', payload: good })
      expectRefused(answer, status, error)
      expect(answer.headers['retry-after']).toBe(status === 503 ? '2' : undefined)
      expect(answer.body).not.toContain('hidden')
      await broken.close()
    }
  })

  test('refuses a body of more than 64 KiB with 413', async () => {
    expectRefused(await register({ ...good, note: 'a'.repeat(65_536) }), 413, 'invalid_request')
  })

  test('refuses another method with 405', async () => {
    const answer = await app.inject({ method: 'GET', url: '/oauth/register' })
    expectRefused(answer, 405, 'invalid_request')
    expect(answer.headers['allow']).toBe('OPTIONS, POST')
  })

  test('accepts scripts of any origin, preflight included', async () => {
    const answer = await app.inject({
      method: 'OPTIONS',
      url: '/oauth/register',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining('Content-Type'),
    })
  })

  test('accepts http addresses of this machine where the deployment allows them', async () => {
    const fields = { ...good, redirect_uris: ['http://127.0.0.1:3000/callback'] }
    expect((await register(fields)).statusCode).toBe(201)
    await using other = await createTestDatabase()
    const strict = await buildApp(
      createTestContext(other.pool, { environment: { NUMERA_OAUTH_LOOPBACK_REDIRECTS: 'no' } }),
    )
    const answer = await strict.inject({ method: 'POST', url: '/oauth/register', payload: fields })
    expectRefused(answer, 400, 'invalid_redirect_uri')
    await strict.close()
  })
})

describe('the limits of registration', () => {
  test('are 3 for each address, then one every 20 seconds', async () => {
    const first = await register()
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '2',
      'ratelimit-reset': '20',
    })
    await register()
    context.clock.advance(5 * second)
    expect((await register()).headers['ratelimit-remaining']).toBe('0')
    expectTooMany(await register(), 15)
    context.clock.advance(14 * second)
    expectTooMany(await register(), 1)
    context.clock.advance(second)
    expect((await register()).statusCode).toBe(201)
    expectTooMany(await register(), 20)
    // Another address of the same network may register.
    expect((await register(good, '192.0.2.2')).statusCode).toBe(201)
  })

  test('count invalid metadata separately: the 7th mistake in a row is 429', async () => {
    for (const fields of ['{', {}, '[]', {}, {}]) expect((await register(fields)).statusCode).toBe(400)
    expect((await register({ ...good, redirect_uris: [] })).headers['ratelimit-remaining']).toBe('0')
    expectTooMany(await register({}), 20)
    expect(await getStatuses(times(3, () => register()))).toEqual([201, 201, 201])
    expectTooMany(await register(), 20)
    context.clock.advance(20 * second)
    expect((await register({})).statusCode).toBe(400)
    expectTooMany(await register({}), 20)
  })

  test('count refused registrations for the network', async () => {
    for (let host = 0; host < 10; host++) expect((await register({}, `192.0.2.${host}`)).statusCode).toBe(400)
    const before = await countApps()
    expectTooMany(await register(good, '192.0.2.200'), 20)
    expect(await countApps()).toBe(before)
  })

  test('let 3 of 20 concurrent registrations from one address succeed', async () => {
    const before = await countApps()
    const statuses = await getStatuses(times(20, () => register()))
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(await countApps()).toBe(before + 3)
  })

  test('treat an IPv6 /56 as one network, and any spelling of an address as one', async () => {
    for (let subnet = 0; subnet < 10; subnet++) {
      expect((await register(good, `2001:db8:0:12${subnet}0::1`)).statusCode).toBe(201)
    }
    expectTooMany(await register(good, '2001:db8:0:12ff::1'), 20)
    for (const address of ['2001:db8:0:1300::1', '2001:DB8::1300:0:0:0:1', '2001:db8:0:1300:0:0:0:1']) {
      expect((await register(good, address)).statusCode).toBe(201)
    }
    expectTooMany(await register(good, '2001:0db8:0:1300::0001'), 20)
  })

  test('treat any spelling of an IPv4 address as one', async () => {
    for (let host = 0; host < 10; host++)
      await register(good, `::ffff:c000:2${String(host).padStart(2, '0')}`)
    expectTooMany(await register(good, '192.0.2.200'), 20)
    expect((await register(good, '::ffff:c633:6401')).statusCode).toBe(201)
  })

  test('give the longer wait if both address and network are exhausted', async () => {
    for (let host = 10; host < 18; host++) await register(good, `192.0.2.${host}`)
    context.clock.advance(10 * second)
    for (let count = 0; count < 2; count++) await register()
    context.clock.advance(2 * second)
    // The address has used its last token, and the network has none for longer.
    expectTooMany(await register(), 18)
    context.clock.advance(18 * second)
    expect((await register()).statusCode).toBe(201)
  })
})

const registerNow = async (): Promise<string> => (await register()).json().client_id

const isStored = async (clientId: string): Promise<boolean> => {
  await deleteUnusedApps(context, context.clock.now())
  return (await findApp(context, clientId)) !== undefined
}

describe('an unused registered app', () => {
  test('is removed 30 days after registration, not before', async () => {
    const clientId = await registerNow()
    context.clock.advance(30 * day - 1)
    expect(await isStored(clientId)).toBe(true)
    context.clock.advance(1)
    expect(await isStored(clientId)).toBe(false)
  })

  test('is removed 30 days after its last use', async () => {
    const clientId = await registerNow()
    context.clock.advance(20 * day)
    await touchApp(context, clientId)
    context.clock.advance(30 * day - hour)
    expect(await isStored(clientId)).toBe(true)
    context.clock.advance(hour)
    expect(await isStored(clientId)).toBe(false)
  })

  test('has its use recorded once an hour', async () => {
    const clientId = await registerNow()
    const lastUse = async (): Promise<number> =>
      (
        await database.pool.query<{ last_used_at: Date }>(
          'select last_used_at from apps where client_id = $1',
          [clientId],
        )
      ).rows[0]!.last_used_at.getTime()
    const registeredAt = await lastUse()
    context.clock.advance(hour - 1)
    await touchApp(context, clientId)
    expect(await lastUse()).toBe(registeredAt)
    context.clock.advance(1)
    await touchApp(context, clientId)
    expect(await lastUse()).toBe(context.clock.now())
  })

  test('is stored while a member allows it something, and no longer', async () => {
    const { owner } = await seedCompany(context)
    const [expiring, ended] = [await seedApp(context), await seedApp(context)]
    await seedAppConnection(context, { app: expiring, member: owner })
    const { connectionId } = await seedAppConnection(context, { app: ended, member: owner })
    context.clock.advance(90 * day - 1)
    expect([await isStored(expiring.clientId), await isStored(ended.clientId)]).toEqual([true, true])
    await database.pool.query(
      "update app_connections set ended_at = $2, ended_by = 'member' where connection_id = $1",
      [connectionId, new Date(context.clock.now())],
    )
    expect([await isStored(expiring.clientId), await isStored(ended.clientId)]).toEqual([true, false])
    context.clock.advance(1)
    expect(await isStored(expiring.clientId)).toBe(false)
  })
})

test('GET /.well-known/oauth-authorization-server names the addresses of this deployment', async () => {
  const answer = await app.inject({ url: '/.well-known/oauth-authorization-server' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  const { baseUrl } = context.config
  const body = answer.json()
  expect(body.issuer).toBe(baseUrl)
  const endpoints = ['authorization', 'token', 'registration', 'revocation'].map(
    (name) => body[`${name}_endpoint`],
  )
  expect(endpoints).toEqual(
    ['authorize', 'token', 'register', 'revoke'].map((name) => `${baseUrl}/oauth/${name}`),
  )
})
