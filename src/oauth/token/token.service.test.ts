import { beforeAll, beforeEach, expect, test } from 'vitest'
import { revokeConnection } from '../../company/connections/revoke-connection.ts'
import { rotateConnection } from '../../company/connections/rotate-connection.ts'
import {
  seedCompany,
  seedConnection,
  seedSource,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { deleteExpiredTokens } from './expiry.ts'

const { database, context, app } = await startTestService()
let seeded: SeededCompany
beforeAll(async () => {
  seeded = await seedCompany(context)
})
// Each test begins with full buckets.
beforeEach(() => context.clock.advance(60_000))

const seedClient = async (options: { signed?: boolean } = {}) => {
  const source = await seedSource(context, seeded.company.companyId)
  const made = await seedConnection(context, { ...seeded, source, credentialKind: 'client', ...options })
  return { connectionId: made.connectionId, clientId: made.clientId!, secret: made.secret ?? 'ncs_none' }
}

const basic = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

const requestToken = (payload: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  app.inject({
    method: 'POST',
    url: '/oauth/token',
    payload,
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const grant = 'grant_type=client_credentials'
const requestAs = (client: { clientId: string; secret: string }, payload = grant, remoteAddress?: string) =>
  requestToken(payload, { authorization: basic(client.clientId, client.secret) }, remoteAddress)

const push = (token: string) =>
  app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ idempotency_key: 'a', shape_version: 1, payload: { amount: '1' } }),
  })

const expectRefused = (
  answer: Awaited<ReturnType<typeof requestToken>>,
  status: number,
  error: string,
): void => {
  expect(answer.json()).toEqual({ error, error_description: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['access-control-allow-origin']).toBe('*')
}

test('id and secret give a token of an hour, which opens what the connection may do', async () => {
  const client = await seedClient()
  const answer = await requestAs(client)
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
    access_token: expect.stringMatching(/^nat_[0-9A-Za-z]{43}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'sources.ingest metrics.read',
  })
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.headers).toMatchObject({
    'ratelimit-limit': '60',
    'ratelimit-remaining': '19',
    'ratelimit-reset': '1',
  })
  expect((await push(answer.json().access_token)).statusCode).toBe(202)
})

test('a token is stored as a hash only', async () => {
  const { access_token: token } = (await requestAs(await seedClient())).json()
  const { rows } = await database.pool.query<{ found: boolean }>(
    `select exists (select from tokens where position($1::bytea in token_hash) > 0 or encode(token_hash, 'escape') = $2) as found`,
    [Buffer.from(token), token],
  )
  expect(rows[0]!.found).toBe(false)
})

test('a token ends after an hour, and is then deleted', async () => {
  const { access_token: token } = (await requestAs(await seedClient())).json()
  context.clock.advance(3_599_000)
  expect((await push(token)).statusCode).toBe(202)
  context.clock.advance(1_000)
  expect((await push(token)).statusCode).toBe(401)
  await deleteExpiredTokens(context, context.clock.now())
  const { rows } = await database.pool.query('select from tokens where expires_at <= $1', [
    new Date(context.clock.now()),
  ])
  expect(rows).toHaveLength(0)
})

test('a connection that ends sooner gives a shorter token', async () => {
  const client = await seedClient()
  await database.pool.query('update connections set expires_at = $2 where connection_id = $1', [
    client.connectionId,
    new Date(context.clock.now() + 90_500),
  ])
  expect((await requestAs(client)).json().expires_in).toBe(90)
})

test('revoking the connection ends its tokens and its secret immediately', async () => {
  const client = await seedClient()
  const { access_token: token } = (await requestAs(client)).json()
  await revokeConnection(context, 'operator', seeded.company.companyId, client.connectionId)
  expect((await push(token)).statusCode).toBe(401)
  expectRefused(await requestAs(client), 401, 'invalid_client')
})

test('an unsigned or expired connection, a wrong id and a wrong secret are invalid_client', async () => {
  const unsigned = await seedClient({ signed: false })
  expectRefused(await requestAs(unsigned), 401, 'invalid_client')

  const [client, other] = [await seedClient(), await seedClient()]
  expectRefused(await requestAs({ ...client, secret: other.secret }), 401, 'invalid_client')
  expectRefused(await requestAs({ ...client, clientId: other.clientId }), 401, 'invalid_client')
  expectRefused(await requestAs({ ...client, clientId: 'not an id' }), 401, 'invalid_client')
  expectRefused(await requestAs({ ...client, clientId: 'nul%00' }), 401, 'invalid_client')
  expectRefused(await requestAs({ ...client, secret: '' }), 401, 'invalid_client')

  await database.pool.query('update connections set expires_at = $2 where connection_id = $1', [
    client.connectionId,
    new Date(context.clock.now()),
  ])
  expectRefused(await requestAs(client), 401, 'invalid_client')
})

test('a static credential or a token is not accepted as the secret', async () => {
  const client = await seedClient()
  const { access_token: token } = (await requestAs(client)).json()
  expectRefused(await requestAs({ ...client, secret: token }), 401, 'invalid_client')
  const { credential } = await seedConnection(context, { ...seeded })
  expectRefused(await requestAs({ ...client, secret: credential! }), 401, 'invalid_client')
})

test('after a rotation the new secret works immediately, and the old one for its overlap', async () => {
  const client = await seedClient()
  const { companyId } = seeded.company
  const { credential: secret } = await rotateConnection(
    context,
    'operator',
    companyId,
    client.connectionId,
    1,
  )
  expect((await requestAs({ ...client, secret })).statusCode).toBe(200)
  expect((await requestAs(client)).statusCode).toBe(200)
  context.clock.advance(3_600_000)
  expectRefused(await requestAs(client), 401, 'invalid_client')
  expect((await requestAs({ ...client, secret })).statusCode).toBe(200)
})

test('the Basic scheme is named only to a client that used Authorization', async () => {
  const wrong = await requestAs({ clientId: 'a', secret: 'b' })
  expect(wrong.headers['www-authenticate']).toBe('Basic realm="numera", charset="UTF-8"')
  const bearer = await requestToken(grant, { authorization: 'Bearer nat_a' })
  expectRefused(bearer, 401, 'invalid_client')
  expect(bearer.headers['www-authenticate']).toMatch(/^Basic /)
  const none = await requestToken(`${grant}&client_id=a&client_secret=b`)
  expectRefused(none, 401, 'invalid_client')
  expect(none.headers['www-authenticate']).toBeUndefined()
})

const encode = (text: string): string => text.replaceAll('_', '%5F').replaceAll('-', '%2D')

test('id and secret may be form-encoded inside the header', async () => {
  const { clientId, secret } = await seedClient()
  expect((await requestAs({ clientId: encode(clientId), secret: encode(secret) })).statusCode).toBe(200)
})

test('a client is named only once, and in one place', async () => {
  const client = await seedClient()
  expectRefused(await requestAs(client, `${grant}&client_secret=${client.secret}`), 400, 'invalid_request')
  expectRefused(await requestAs(client, `${grant}&client_id=another`), 400, 'invalid_request')
  expect((await requestAs(client, `${grant}&client_id=${client.clientId}`)).statusCode).toBe(200)
})

test('the body is a form, whose parameters are given once', async () => {
  const client = await seedClient()
  const authorization = basic(client.clientId, client.secret)
  const json = await requestToken(JSON.stringify({ grant_type: 'client_credentials' }), {
    authorization,
    'content-type': 'application/json',
  })
  expectRefused(json, 400, 'invalid_request')
  expectRefused(await requestToken('', { authorization }), 400, 'invalid_request')
  expectRefused(await requestToken('grant_type=', { authorization }), 400, 'invalid_request')
  expectRefused(await requestAs(client, `${grant}&${grant}`), 400, 'invalid_request')
  expectRefused(await requestAs(client, `${grant}&x=1&x=2`), 400, 'invalid_request')
  expectRefused(await requestAs(client, `${grant}&x=${'a'.repeat(20_000)}`), 413, 'invalid_request')
  expect((await requestAs(client, `${grant}&unknown=1&scope=`)).statusCode).toBe(200)
})

test('a request without a body is invalid_request', async () => {
  const answer = await app.inject({ method: 'POST', url: '/oauth/token' })
  expectRefused(answer, 400, 'invalid_request')
})

test('another grant is unsupported_grant_type', async () => {
  const client = await seedClient()
  expectRefused(await requestAs(client, 'grant_type=password'), 400, 'unsupported_grant_type')
})

test('another method is 405 in the same shape', async () => {
  const answer = await app.inject({ method: 'GET', url: '/oauth/token' })
  expectRefused(answer, 405, 'invalid_request')
  expect(answer.headers['allow']).toBe('OPTIONS, POST')
})

test('a client in a network has a burst of 20 requests, then one a second', async () => {
  const [client, other] = [await seedClient(), await seedClient()]
  for (let count = 0; count < 20; count++) expect((await requestAs(client)).statusCode).toBe(200)
  const refused = await requestAs(client)
  expectRefused(refused, 429, 'temporarily_unavailable')
  expect(refused.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-limit': '60',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '20',
  })
  // The bucket includes the neighbour's address, but no other network or client.
  expectRefused(await requestAs(client, grant, '192.0.2.99'), 429, 'temporarily_unavailable')
  expect((await requestAs(client, grant, '198.51.100.1')).statusCode).toBe(200)
  expect((await requestAs(other)).statusCode).toBe(200)
  context.clock.advance(1_000)
  expect((await requestAs(client)).statusCode).toBe(200)
  expectRefused(await requestAs(client), 429, 'temporarily_unavailable')
})

const countBuckets = async (network: string): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::integer as count from rate_buckets where subject like $1',
    [`oauth % ${network}`],
  )
  return rows[0]!.count
}

test('made-up client ids neither evade the limit nor create rows, at token and at revoke, by Basic and in the form', async () => {
  const network = '203.0.113.7'
  const statuses: number[] = []
  for (let index = 0; index < 20; index++) {
    const app22 = `app_${String(index).padStart(22, '0')}`
    const attempts = [
      requestToken(grant, { authorization: basic(`made-up-${index}`, 'a') }, network),
      requestToken(`grant_type=authorization_code&code=a&client_id=${app22}`, {}, network),
      app.inject({
        method: 'POST',
        url: '/oauth/revoke',
        payload: `token=a&client_id=other-${index}`,
        remoteAddress: network,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ]
    for (const answer of await Promise.all(attempts)) statuses.push(answer.statusCode)
  }
  expect(statuses.filter((status) => status !== 429)).toHaveLength(20)
  expect(await countBuckets('203.0.113.0/24')).toBe(1)
  // A real client has its own bucket, however many ids are made up.
  const client = await seedClient()
  expect((await requestAs(client, grant, network)).headers['ratelimit-remaining']).toBe('19')
  expect(await countBuckets('203.0.113.0/24')).toBe(2)
})

test('a 401 on the API names the metadata document of its address', async () => {
  for (const path of ['/v1/ingest', '/v1/samples']) {
    const refused = await app.inject({
      method: path === '/v1/ingest' ? 'POST' : 'GET',
      url: `${path}?orgnr=1`,
    })
    if (refused.statusCode === 404) continue
    expect(refused.statusCode).toBe(401)
    const challenge = String(refused.headers['www-authenticate'])
    const [, metadata] = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge)!
    const answer = await app.inject({ url: new URL(metadata!).pathname })
    expect(answer.json()).toMatchObject({
      resource: `${context.config.baseUrl}${path}`,
      authorization_servers: [context.config.baseUrl],
      scopes_supported: ['company.read', 'metrics.read'],
    })
  }
})
