import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, type Answer, call, type Call, delivery, errorOf, ingest } from '../testing/process/call.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { type Connection, openShop, type Shop } from '../testing/process/shop.ts'

const at = '2026-01-15T12:00:00+01:00'
const docsOrigin = 'https://reference.example'

let service: Service
let shop: Shop
let sourceId: string
let otherSourceId: string
const connections = {} as Record<
  'both' | 'reader' | 'pusher' | 'unbound' | 'sandbox' | 'webhook' | 'unsigned' | 'revoked',
  Connection
>
beforeAll(async () => {
  service = await startService({
    environment: {
      NUMERA_RATE_PER_MINUTE: '100000',
      NUMERA_RATE_BURST: '100000',
      NUMERA_DOCS_ORIGIN: docsOrigin,
    },
  })
  shop = await openShop(service)
  sourceId = await shop.createSource()
  otherSourceId = await shop.createSource({ name: 'Another' })
  const webhookId = await shop.createSource({ name: 'Webhooks', channel: 'webhook' })
  connections.both = await shop.connect({ source_id: sourceId })
  connections.reader = await shop.connect({ source_id: sourceId, permissions: ['metrics.read'] })
  connections.pusher = await shop.connect({ source_id: sourceId, permissions: ['sources.ingest'] })
  connections.unbound = await shop.connect()
  connections.sandbox = await shop.connect({ source_id: sourceId, kind: 'sandbox' })
  connections.webhook = await shop.connect({ source_id: webhookId })
  connections.unsigned = await shop.createConnection({ source_id: sourceId })
  connections.revoked = await shop.connect({ source_id: sourceId })
  await shop.browser.post(`${shop.pages}/connections/${connections.revoked.connectionId}/revoke`)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

type Caller = keyof typeof connections

const push = (
  caller: Caller,
  body: unknown,
  options?: { query?: string; headers?: Record<string, string> },
) => ingest(shop.url, connections[caller].credential, body, options)
const read = (caller: Caller, query = '', options: Call = {}) =>
  call(`${shop.url}/v1/samples${query}`, { credential: connections[caller].credential, ...options })
const good = () => delivery([{ at, amount: '1' }])
const rateHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']

/** What every error under `/v1` has. */
const expectError = (answer: Answer, status: number, code: string, field?: string): void => {
  expect(errorOf(answer)).toEqual({ status, code, ...(field === undefined ? {} : { field }) })
  expect(answer.body.message).toMatch(/^[^\n]+\.$/)
  expect(Object.keys(answer.body).toSorted()).toEqual(
    ['code', 'help', 'message', 'request_id', ...(field ? ['field'] : [])].toSorted(),
  )
  expect(answer.body.help).toBe(`${shop.url}/docs/errors#${code}`)
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  expect(answer.headers.get('link')).toBe(`<${answer.body.help}>; rel="help"`)
}

describe('POST /v1/ingest', () => {
  test('400 invalid_argument: a connection bound to no source names none', async () => {
    expectError(await push('unbound', good()), 400, 'invalid_argument', 'source_id')
    expectError(
      await push('unbound', good(), { query: '?source_id=7' }),
      400,
      'invalid_argument',
      'source_id',
    )
    expect((await push('unbound', good(), { query: `?source_id=${sourceId}` })).status).toBe(202)
  })

  test('403 permission_denied, with a challenge that names the missing permission', async () => {
    const answer = await push('reader', good())
    expectError(answer, 403, 'permission_denied')
    const challenge = answer.headers.get('www-authenticate')!
    expect(challenge).toMatch(/^Bearer /)
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toContain('scope="sources.ingest"')
  })

  test('403 webhook_only', async () => {
    expectError(await push('webhook', good()), 403, 'webhook_only')
    expectError(await push('webhook', 'rubbish'), 403, 'webhook_only')
  })

  test('404 not_found: a source that is not the company’s, or not the connection’s', async () => {
    const query = '?source_id=01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10'
    expectError(await push('unbound', good(), { query }), 404, 'not_found')
    expectError(await push('both', good(), { query: `?source_id=${otherSourceId}` }), 404, 'not_found')
  })

  test('404 not_found: the connection has nothing on the company', async () => {
    expectError(await push('both', good(), { query: '?orgnr=556016-0680' }), 404, 'not_found')
  })

  test('409 source_paused', async () => {
    await shop.browser.post(`${shop.pages}/sources/${sourceId}/pause`)
    expectError(await push('both', good()), 409, 'source_paused')
    await shop.browser.post(`${shop.pages}/sources/${sourceId}/resume`)
  })

  test('409 key_reused', async () => {
    const body = good()
    await push('both', body)
    expectError(await push('both', { ...body, payload: [] }), 409, 'key_reused')
  })
})

describe('GET /v1/samples', () => {
  test('400 invalid_argument: a connection bound to no source names none', async () => {
    expectError(await read('unbound'), 400, 'invalid_argument', 'source_id')
    expect((await read('unbound', `?source_id=${sourceId}`)).status).toBe(200)
  })

  test('403 permission_denied, with a challenge that names the missing permission', async () => {
    const answer = await read('pusher')
    expectError(answer, 403, 'permission_denied')
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer (?=.*error="insufficient_scope").*scope="metrics.read"/,
    )
  })

  test('404 not_found: a source that is not the company’s, or not the connection’s; an unknown company', async () => {
    expectError(await read('unbound', '?source_id=01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10'), 404, 'not_found')
    expectError(await read('both', `?source_id=${otherSourceId}`), 404, 'not_found')
    expectError(await read('both', '?orgnr=5560160680'), 404, 'not_found')
  })
})

describe.each([
  ['POST /v1/ingest', '/v1/ingest'],
  ['GET /v1/samples', '/v1/samples'],
])('%s', (_name, path) => {
  const send = (options: Call = {}, query = ''): Promise<Answer> =>
    call(`${shop.url}${path}${query}`, {
      ...(path === '/v1/ingest' ? { method: 'POST', body: good() } : {}),
      ...options,
    })
  const success = path === '/v1/ingest' ? 202 : 200

  test('401 unauthenticated: no credential', async () => {
    const answer = await send()
    expectError(answer, 401, 'unauthenticated')
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${shop.url}/.well-known/oauth-protected-resource${path}"`,
    )
  })

  test('401 unauthenticated: the challenge leads to the metadata of this address', async () => {
    const metadata = await call(`${shop.url}/.well-known/oauth-protected-resource${path}`)
    expect(metadata.status).toBe(200)
    expect(metadata.body).toMatchObject({
      resource: `${shop.url}${path}`,
      authorization_servers: [shop.url],
    })
  })

  test.each([
    ['an unknown static credential', () => `nsk_${'a'.repeat(43)}`],
    ['an unknown token', () => `nat_${'a'.repeat(43)}`],
    ['a key of the old kind', () => `nk_${'a'.repeat(43)}`],
    ['nonsense', () => 'letmein'],
    ['a connection that is not signed', () => connections.unsigned.credential],
    ['a revoked connection', () => connections.revoked.credential],
    ['a credential with a letter more', () => `${connections.both.credential}a`],
  ])('401 unauthenticated: %s', async (_case, credential) => {
    const answer = await send({ credential: credential() })
    expectError(answer, 401, 'unauthenticated')
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer (?=.*resource_metadata=).*error="invalid_token"/,
    )
    for (const name of rateHeaders) expect(answer.headers.has(name)).toBe(false)
  })

  test('401 unauthenticated: another scheme', async () => {
    const basic = Buffer.from(`x:${connections.both.credential}`).toString('base64')
    expectError(await send({ headers: { authorization: `Basic ${basic}` } }), 401, 'unauthenticated')
  })

  test.each([
    ['nsk_ in a query value', () => `?x=${connections.both.credential}`],
    ['ncs_ in a query value', () => '?x=ncs_abc'],
    ['nat_ in a query value', () => '?x=nat_abc'],
    ['nrt_ in a query value', () => '?x=nrt_abc'],
    ['nac_ in a query value', () => '?x=nac_abc'],
    ['nk_ in a query value', () => '?x=nk_abc'],
    ['encoded', () => '?x=%6esk%5fabc'],
    ['in the path', () => '/nsk_abc'],
    ['access_token', () => '?access_token=x'],
    ['token', () => '?token=x'],
    ['api_key', () => '?api_key=x'],
    ['apikey', () => '?apikey=x'],
    ['key', () => '?key=x'],
    ['secret', () => '?secret=x'],
    ['client_secret', () => '?client_secret=x'],
    ['authorization', () => '?Authorization=Bearer+x'],
  ])('400 credential_in_url: %s, even with a valid header', async (_case, query) => {
    for (const credential of [connections.both.credential, undefined]) {
      const answer = await send(credential === undefined ? {} : { credential }, query())
      expectError(answer, 400, 'credential_in_url')
      for (const name of rateHeaders) expect(answer.headers.has(name)).toBe(false)
    }
  })

  test.each([
    ['the mark of the reference', () => ({ 'x-numera-reference': '1' })],
    ['the origin of the service', () => ({ origin: shop.url })],
    ['a configured origin', () => ({ origin: docsOrigin })],
    ['a page of the service', () => ({ referer: `${shop.url}/reference/` })],
    ['a page of a configured origin', () => ({ referer: `${docsOrigin}/` })],
  ])('403 docs_origin_needs_sandbox: %s', async (_case, headers) => {
    const credential = connections.both.credential
    expectError(await send({ credential, headers: headers() }), 403, 'docs_origin_needs_sandbox')
    expectError(
      await send({ credential: connections.unbound.credential, headers: headers() }),
      403,
      'docs_origin_needs_sandbox',
    )
    const sandbox = await send({ credential: connections.sandbox.credential, headers: headers() })
    expect(sandbox.status).toBe(success)
    const elsewhere = await send({ credential, headers: { origin: 'https://shop.example' } })
    expect(elsewhere.status).toBe(success)
  })

  test('the three rate headers are on a success and on an error that counts', async () => {
    const wrong = await send({ credential: connections.both.credential }, '?orgnr=1')
    const right = await send({ credential: connections.both.credential })
    expect([right.status, wrong.status]).toEqual([success, 400])
    for (const answer of [right, wrong]) {
      for (const name of rateHeaders) expect(answer.headers.get(name)).toMatch(/^\d+$/)
    }
  })

  test('405 method_not_allowed, with Allow', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', path === '/v1/ingest' ? 'GET' : 'POST']) {
      const answer = await send({ credential: connections.both.credential, method, body: undefined })
      expectError(answer, 405, 'method_not_allowed')
      const allowed = answer.headers.get('allow')!.split(', ')
      expect(allowed).toContain(path === '/v1/ingest' ? 'POST' : 'GET')
      expect(allowed).not.toContain(method)
    }
  })
})

const form = 'application/x-www-form-urlencoded'
const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const requestToken = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(`${shop.url}/oauth/token`, { method: 'POST', body, headers: { 'content-type': form, ...headers } })
const expectOauthError = (answer: Answer, status: number, error: string): void => {
  expect([answer.status, answer.body.error]).toEqual([status, error])
  expect(Object.keys(answer.body).toSorted()).toEqual(['error', 'error_description'])
  expect(answer.headers.get('link')).toBe(`<${shop.url}/docs/errors#${error}>; rel="help"`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
}

describe('POST /oauth/token', () => {
  let client: Connection
  beforeAll(async () => {
    client = await shop.connect({ credential_kind: 'client' })
  })
  const requestAsClient = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
    requestToken(body, { authorization: basic(client.clientId, client.secret), ...headers })
  const grant = 'grant_type=client_credentials'

  test('401 invalid_client, with a challenge only where Authorization was used', async () => {
    for (const authorization of [
      basic(client.clientId, 'ncs_wrong'),
      basic('01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10', client.secret),
      basic('unknown', 'nothing'),
      'Basic !!!',
      `Bearer ${client.secret}`,
    ]) {
      const answer = await requestToken(grant, { authorization })
      expectOauthError(answer, 401, 'invalid_client')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    }
    const inBody = await requestToken(`${grant}&client_id=${client.clientId}&client_secret=${client.secret}`)
    expectOauthError(inBody, 401, 'invalid_client')
    expect(inBody.headers.has('www-authenticate')).toBe(false)
  })

  test('unknown parameters are ignored; the answer is never cached', async () => {
    const answer = await requestAsClient(`${grant}&colour=blue`)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

test('An unknown address and an unknown id differ only in their message; an unknown and a malformed id do not differ', async () => {
  const credential = connections.both.credential
  const headers = { 'x-request-id': 'the-same-1' }
  const get = (path: string): Promise<Answer> => call(`${shop.url}${path}`, { credential, headers })
  const unknown = await get('/v1/nothing')
  const id = await get('/v1/deliveries/01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10')
  const noId = await get('/v1/deliveries/7')
  for (const answer of [unknown, id, noId]) expectError(answer, 404, 'not_found')
  expect(noId.text).toBe(id.text)
  expect({ ...unknown.body, message: id.body.message }).toEqual(id.body)
  expect(unknown.body.message).not.toBe(id.body.message)
})

describe('Scripts of any origin', () => {
  test('may read, and see the headers that they need', async () => {
    const answer = await read('both', '', {
      credential: connections.both.credential,
      headers: { origin: 'https://app.example' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    const exposed = answer.headers.get('access-control-expose-headers')!.toLowerCase()
    for (const name of ['www-authenticate', 'retry-after', 'link', ...rateHeaders]) {
      expect(exposed).toContain(name)
    }
  })

  test.each([
    ['/v1/samples', 'GET'],
    ['/v1/samples/trace', 'GET'],
    ['/v1/sources', 'GET'],
    ['/v1/companies', 'GET'],
    ['/oauth/token', 'POST'],
    ['/oauth/revoke', 'POST'],
  ])('may preflight %s', async (path, method) => {
    const answer = await call(`${shop.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization',
      },
    })
    expect([200, 204]).toContain(answer.status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-methods')).toContain(method)
    expect(answer.headers.get('access-control-allow-headers')!.toLowerCase()).toContain('authorization')
  })

  test('get the error of a read too, but no answer of the pages', async () => {
    const error = await call(`${shop.url}/v1/samples`, { headers: { origin: 'https://app.example' } })
    expect(error.status).toBe(401)
    expect(error.headers.get('access-control-allow-origin')).toBe('*')
    for (const path of ['/console/session', '/console/sign-in']) {
      const answer = await call(`${shop.url}${path}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      })
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    }
  })
})

test('No log line has the query or credential of a refused call', async () => {
  await advance(shop.url, 1)
  await call(`${shop.url}/v1/samples?token=hunter2&orgnr=${shop.company.orgnr}`)
  await read('both', '?from=neverlogged')
  const log = service.output()
  expect(log).not.toContain('hunter2')
  expect(log).not.toContain('neverlogged')
  expect(log).not.toMatch(/n(?:sk|cs|at)_[A-Za-z0-9]/)
  expect(log).not.toContain('191212121212')
})
