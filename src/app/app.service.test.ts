import { beforeAll, expect, test } from 'vitest'
import { createPool } from '../platform/database/pool.ts'
import { createTestDatabase } from '../../testing/in-process/test-database.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createBreakableDatabase } from '../../testing/faults/breakable-database.ts'
import { openRaw } from '../../testing/process/raw-connection.ts'
import { seedCompany, seedConnection, seedSource } from '../../testing/in-process/seed.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'
import { buildApp } from './app.ts'
import { closeMsMax, startService } from './start-service.ts'

const { database, context, app } = await startTestService()
let url: string
beforeAll(async () => {
  app.get('/v1/broken', () => {
    throw new TypeError('the inside: 556012-5790')
  })
  app.post('/v1/checked', {
    schema: { body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    handler: () => ({}),
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

/** Every error under /v1: JSON of a code, a message, where it is explained and the request's id, not to be cached. */
const expectError = async (
  answer: Response,
  status: number,
  code: string,
): Promise<Record<string, unknown>> => {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
  const body = (await answer.json()) as Record<string, unknown>
  expect(body).toEqual({
    code,
    message: expect.stringMatching(/^[A-Z].*\.$/),
    help: `${context.config.baseUrl}/docs/errors#${code}`,
    request_id: answer.headers.get('x-request-id'),
    ...('field' in body ? { field: expect.any(String) } : {}),
  })
  return body
}

const bodyOf = (raw: string): unknown => JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4))

test('an unknown address is 404 not_found, with any method and any body', async () => {
  await expectError(await fetch(`${url}/v1/nothing`), 404, 'not_found')
  await expectError(await fetch(`${url}/v1`), 404, 'not_found')
  await expectError(await fetch(`${url}/nothing`), 404, 'not_found')
  await expectError(
    await fetch(`${url}/v1/nothing`, { method: 'POST', body: 'x', headers: { 'content-type': 'image/png' } }),
    404,
    'not_found',
  )
  await expectError(await fetch(`${url}/v1/nothing`, { method: 'OPTIONS' }), 404, 'not_found')
})

test('an unknown id reads like an unknown address', async () => {
  const [address, id] = await Promise.all(
    ['/v1/nothing', '/console/companies/not-a-uuid'].map(async (path) => (await fetch(url + path)).json()),
  )
  expect((address as { code: string }).code).toBe('not_found')
  expect(['not_found', 'unauthenticated']).toContain((id as { code: string }).code)
})

test('a wrong method is 405 with Allow, even an unknown one, before any credential is needed', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
    const answer = await fetch(`${url}/v1/ingest`, { method })
    await expectError(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe('OPTIONS, POST')
  }
  const head = await fetch(`${url}/v1/ingest`, { method: 'HEAD' })
  expect(head.status).toBe(405)
})

test('a credential in the URL is refused first: on unknown addresses, for wrong methods, beside a valid header', async () => {
  const { company, owner } = await seedCompany(context)
  const { credential } = await seedConnection(context, { company, owner })
  for (const path of [
    '/v1/ingest?access_token=a',
    '/v1/nothing?x=nsk_abc',
    '/v1/nothing/ncs_abc',
    '/v1/samples?from=nat%5Fabc',
    '/v1?key=',
    '/%761/samples?token=a',
    '/v1/%zz?token=a',
  ]) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await fetch(url + path, { method, headers: { authorization: `Bearer ${credential}` } })
      await expectError(answer, 400, 'credential_in_url')
    }
  }
  const raw = await openRaw(url)
  raw.send(
    'GET http://user:secret@localhost/v1/samples HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  )
  expect(await raw.untilClosed()).toContain('credential_in_url')
})

test('other addresses may have parameters of such names', async () => {
  await expectError(await fetch(`${url}/nothing?token=a`), 404, 'not_found')
})

test('a path that cannot be decoded is 400, and nothing of it comes back', async () => {
  const answer = await fetch(`${url}/v1/%zz%f0secret`)
  const body = await expectError(answer, 400, 'invalid_argument')
  expect(JSON.stringify(body)).not.toContain('secret')
})

const post = (body: string, type = 'application/json'): Promise<Response> =>
  fetch(`${url}/v1/checked`, { method: 'POST', body, headers: { 'content-type': type } })

test('a body that is not JSON, of another media type, too large, or not as described, is answered with an Error', async () => {
  expect(await expectError(await post('{'), 400, 'invalid_argument')).toMatchObject({ field: 'body' })
  expect(await expectError(await post('{"__proto__": 1}'), 400, 'invalid_argument')).toMatchObject({
    field: 'body',
  })
  expect(await expectError(await post('{}'), 400, 'invalid_argument')).toMatchObject({ field: 'name' })
  expect(await expectError(await post('{"name": 1}'), 400, 'invalid_argument')).toMatchObject({
    field: 'name',
  })
  await expectError(await post('a', 'text/plain'), 415, 'unsupported_media_type')
  await expectError(await post('a', 'no media type'), 415, 'unsupported_media_type')
  await expectError(await post(`"${'a'.repeat(2 ** 20)}"`), 413, 'too_large')
})

test('a fault inside is 500 internal, and only the log holds what it was', async () => {
  const lines: { requestId?: string; err?: Error }[] = []
  const log = context.log as unknown as { error: (line: object) => void }
  const { error } = log
  log.error = (line) => void lines.push(line)
  try {
    const answer = await fetch(`${url}/v1/broken`)
    const body = await expectError(answer, 500, 'internal')
    expect(JSON.stringify(body)).not.toMatch(/inside: |556012|TypeError/)
    expect(lines).toHaveLength(1)
    expect(lines[0]!.requestId).toBe(answer.headers.get('x-request-id'))
    expect(lines[0]!.err).toBeInstanceOf(TypeError)
  } finally {
    log.error = error
  }
})

test('bytes that are not HTTP, and headers that are too large, get a small answer and a closed connection', async () => {
  const noise = await openRaw(url)
  noise.send('HELLO THERE\r\n\r\n')
  const answer = await noise.untilClosed()
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(answer).toMatch(/\r\nConnection: close\r\n/)
  expect(bodyOf(answer)).toMatchObject({ code: 'invalid_argument' })

  const large = await openRaw(url)
  large.send(`GET /v1/samples HTTP/1.1\r\nHost: a\r\nX-Large: ${'a'.repeat(40_000)}\r\n\r\n`)
  const refused = await large.untilClosed()
  expect(refused).toMatch(/^HTTP\/1\.1 431 /)
  expect(bodyOf(refused)).toMatchObject({ code: 'invalid_argument' })
})

test('a request without a host, or with an unknown expectation, is answered like any other', async () => {
  const hostless = await openRaw(url)
  hostless.send('GET /v1/nothing HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(bodyOf(await hostless.untilClosed())).toMatchObject({ code: 'invalid_argument', field: 'Host' })
  const expecting = await openRaw(url)
  expecting.send('GET /v1/nothing HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n')
  expect(bodyOf(await expecting.untilClosed())).toMatchObject({ code: 'not_found' })
})

/** The answer to a request with these lines as its head. */
const answerToHead = async (...lines: string[]): Promise<string> => {
  const raw = await openRaw(url)
  raw.send(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  return raw.untilClosed()
}

test('a request that names its host twice, or no host that could be one, is 400 with field Host', async () => {
  for (const lines of [
    ['Host: a', 'Host: b'],
    ['Host: a', 'hOsT: a'],
    ['Host: a b'],
    ['Host: a/b'],
    ['Host: user@a'],
    ['Host: a, b'],
    ['Host: a:b'],
    ['Host: [::1'],
    ['Host: "a"'],
  ]) {
    const answer = await answerToHead('GET /health/live HTTP/1.1', ...lines)
    expect(answer, lines.join()).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(answer), lines.join()).toMatchObject({ code: 'invalid_argument', field: 'Host' })
  }
  // One that the router refuses before any hook.
  const unread = await answerToHead(`GET /v1/deliveries/${'x'.repeat(200)} HTTP/1.1`, 'Host: a', 'Host: b')
  expect(bodyOf(unread)).toMatchObject({ code: 'invalid_argument', field: 'Host' })
  for (const host of [
    'a',
    'a.example:8080',
    '127.0.0.1:80',
    '[::1]:8080',
    'xn--bcher-kva.example',
    'a_b',
    '',
  ]) {
    expect(await answerToHead('GET /health/live HTTP/1.1', `Host: ${host}`), host).toMatch(/^HTTP\/1\.1 200 /)
  }
})

test('a target with scheme and host is read by its path, with any Host', async () => {
  expect(
    bodyOf(await answerToHead('POST http://a/v1/ingest HTTP/1.1', 'Host: other', 'Content-Length: 0')),
  ).toMatchObject({ code: 'unauthenticated' })
  expect(
    bodyOf(await answerToHead('POST http://a/oauth/token HTTP/1.1', 'Host: other', 'Content-Length: 0')),
  ).toMatchObject({ error: 'invalid_request' })
  expect(
    bodyOf(await answerToHead('POST http://a HTTP/1.1', 'Host: other', 'Content-Length: 0')),
  ).toMatchObject({ code: 'not_found' })
  expect(await answerToHead('POST ftp://a/v1/ingest HTTP/1.1', 'Host: other', 'Content-Length: 0')).toMatch(
    /^HTTP\/1\.1 4/,
  )
})

test('refusals of strangers are not logged one by one at info: once a minute a line counts them by code', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog({
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  })
  const own = createTestContext(database.pool)
  const quiet = await buildApp({ ...own, log })
  for (let index = 0; index < 30; index++) {
    await quiet.inject({ url: '/v1/samples', headers: { authorization: 'Bearer nsk_none' } })
    await quiet.inject({ url: `/v1/${index}` })
    await quiet.inject({ url: '/v1/samples?token=a' })
    await quiet.inject({ method: 'POST', url: '/oauth/token', payload: 'a' })
  }
  expect(lines).toEqual([])
  const { company, owner } = await seedCompany(own)
  const source = await seedSource(own, company.companyId)
  const { credential } = await seedConnection(own, { company, owner, source })
  const refused = await quiet.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    payload: '{}',
  })
  expect(lines).toMatchObject([{ status: 400, requestId: refused.headers['x-request-id'], msg: 'answered' }])
  await quiet.close()
  expect(lines.slice(1)).toMatchObject([
    {
      msg: 'answered in the past minute',
      refused: { unauthenticated: 30, not_found: 30, credential_in_url: 30, invalid_request: 30 },
      unwritten: {},
    },
  ])
})

test('an address longer than the service reads is 431', async () => {
  const answer = await fetch(`${url}/v1/samples?from=${'a'.repeat(20_000)}`)
  expect(answer.status).toBe(431)
  expect(await answer.json()).toMatchObject({ code: 'invalid_argument' })
})

test('noise behind a request does not answer in its place', async () => {
  const raw = await openRaw(url)
  raw.send('GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n\x01\x02 noise\r\n\r\n')
  const answer = await raw.untilClosed()
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test('a request id is made for each request, and a safe short one of the caller is kept', async () => {
  const [first, second] = await Promise.all([fetch(`${url}/health/live`), fetch(`${url}/health/live`)])
  expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'))
  const kept = await fetch(`${url}/v1/nothing`, { headers: { 'x-request-id': 'trace-0123456789' } })
  expect(kept.headers.get('x-request-id')).toBe('trace-0123456789')
  const unsafe = await fetch(`${url}/v1/nothing`, { headers: { 'x-request-id': '{"a":1}' } })
  expect(unsafe.headers.get('x-request-id')).not.toBe('{"a":1}')
})

test('scripts of any origin may read where reads are, the token endpoint and the metadata, errors included', async () => {
  const origin = { origin: 'https://app.example' }
  for (const [method, path] of [
    ['GET', '/v1/samples'],
    ['GET', '/v1/samples?token=a'],
    ['POST', '/v1/samples'],
    ['GET', '/.well-known/oauth-protected-resource/v1/samples'],
    ['POST', '/oauth/token'],
    ['GET', '/oauth/token'],
    ['GET', '/openapi.json'],
  ] as const) {
    const answer = await fetch(url + path, { method, headers: origin })
    await answer.arrayBuffer()
    expect(answer.headers.get('access-control-allow-origin'), path).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    for (const name of [
      'WWW-Authenticate',
      'Retry-After',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
    ])
      expect(answer.headers.get('access-control-expose-headers')).toContain(name)
  }
  const read = await fetch(`${url}/v1/samples`, { method: 'OPTIONS', headers: origin })
  expect(read.status).toBe(204)
  expect(read.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
  expect(read.headers.get('access-control-allow-headers')).toContain('If-None-Match')
  const preflight = await fetch(`${url}/oauth/token`, {
    method: 'OPTIONS',
    headers: {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
})

test('no script of another origin reads the push address or the pages', async () => {
  for (const [method, path] of [
    ['POST', '/v1/ingest'],
    ['OPTIONS', '/v1/ingest'],
    ['GET', '/console/session'],
    ['OPTIONS', '/console/session'],
    ['GET', '/nothing'],
  ] as const) {
    const answer = await fetch(url + path, { method, headers: { origin: 'https://app.example' } })
    await answer.arrayBuffer()
    expect(answer.headers.get('access-control-allow-origin'), `${method} ${path}`).toBeNull()
  }
})

test('every answer forbids sniffing, framing and referrers', async () => {
  for (const path of ['/v1/nothing', '/health/live', '/openapi.json', '/v1/%zz']) {
    const { headers } = await fetch(url + path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  }
})

test('other sites load nothing of the service but what any site may read', async () => {
  for (const [path, policy] of [
    ['/v1/samples', 'cross-origin'],
    ['/openapi.json', 'cross-origin'],
    ['/.well-known/oauth-authorization-server', 'cross-origin'],
    ['/sign-in', 'same-origin'],
    ['/console/session', 'same-origin'],
    ['/v1/ingest', 'same-origin'],
    ['/nothing', 'same-origin'],
  ] as const) {
    const { headers } = await fetch(url + path)
    expect([path, headers.get('cross-origin-resource-policy')]).toEqual([path, policy])
  }
})

test('pages may use nothing that a browser asks people about', async () => {
  for (const path of [
    '/',
    '/sign-in',
    '/docs',
    '/docs/api',
    '/docs/api/callback',
    '/oauth/authorize',
    '/nothing',
  ]) {
    const { headers } = await fetch(url + path, { headers: { accept: 'text/html' } })
    expect(headers.get('permissions-policy'), path).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/)
    expect(headers.get('permissions-policy'), path).toMatch(/, clipboard-write=\(self\)$/)
  }
})

test('HEAD answers like GET, without the body', async () => {
  const answer = await fetch(`${url}/health/live`, { method: 'HEAD' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-length')).toBe('17')
  expect(await answer.text()).toBe('')
})

test('while the database is unavailable a call is 503 internal with Retry-After, and 401 again once it is back', async () => {
  await using gate = await createBreakableDatabase(database.url)
  const pool = createPool({ url: gate.url })
  const other = await buildApp(createTestContext(pool))
  try {
    const push = () =>
      other.inject({ method: 'POST', url: '/v1/ingest', headers: { authorization: 'Bearer nsk_none' } })
    const token = () =>
      other.inject({
        method: 'POST',
        url: '/oauth/token',
        headers: { authorization: 'Basic YTpi', 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'grant_type=client_credentials',
      })
    const ready = () => other.inject({ url: '/health/ready' })
    expect((await push()).statusCode).toBe(401)
    await expect.poll(async () => (await ready()).statusCode).toBe(200)

    await gate.takeAway()
    const refused = await push()
    expect(refused.statusCode).toBe(503)
    expect(refused.json()).toMatchObject({ code: 'internal' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    const tokenRefused = await token()
    expect(tokenRefused.statusCode).toBe(503)
    expect(tokenRefused.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.any(String),
    })
    expect(Number(tokenRefused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    await expect.poll(async () => (await ready()).statusCode).toBe(503)
    expect((await other.inject({ url: '/health/live' })).statusCode).toBe(200)

    await gate.giveBack()
    expect((await push()).statusCode).toBe(401)
    expect((await token()).statusCode).toBe(401)
    await expect.poll(async () => (await ready()).statusCode).toBe(200)
  } finally {
    await other.close()
    await pool.end()
  }
})

test('a database without this version’s migrations is not ready', async () => {
  await using empty = await createTestDatabase({ empty: true })
  await using behind = await createTestDatabase()
  await behind.pool.query('delete from migrations where number = (select max(number) from migrations)')
  for (const { pool } of [empty, behind]) {
    const other = await buildApp(createTestContext(pool))
    expect((await other.inject({ url: '/health/ready' })).statusCode).toBe(503)
    await other.close()
  }
})

test('a process is not ready once another one has migrated the database further, and says why', async () => {
  await using shared = await createTestDatabase()
  await using stack = new AsyncDisposableStack()
  const other = await buildApp(createTestContext(shared.pool))
  stack.defer(() => other.close())
  expect((await other.inject({ url: '/health/ready' })).statusCode).toBe(200)
  const { rows } = await shared.pool.query<{ number: number }>(
    `insert into migrations (number, name, sha256, applied_at)
     select max(number) + 1, 'newer', 'x', now() from migrations returning number`,
  )
  const newer = rows[0]!.number
  await expect
    .poll(async () => (await other.inject({ url: '/health/ready' })).json())
    .toMatchObject({
      code: 'internal',
      message: expect.stringMatching(new RegExp(`has schema ${newer}, .* up to ${newer - 1}:`)),
    })
  const answer = await other.inject({ url: '/health/ready' })
  expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([503, true])
})

test('told to stop, it finishes what was begun and takes nothing new', async () => {
  const service = await startService(
    createTestContext(database.pool, { environment: { NUMERA_METRICS_PORT: '0' } }),
    { port: 0 },
  )
  const { company, owner } = await seedCompany(context)
  const source = await seedSource(context, company.companyId)
  const { credential } = await seedConnection(context, { company, owner, source })
  const payload = JSON.stringify({ idempotency_key: 'last', shape_version: 1, payload: { amount: '1' } })
  const begun = await openRaw(service.url)
  begun.send(
    `POST /v1/ingest HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${credential}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${payload.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  await begun.until('100 Continue')
  const idle = await openRaw(service.url)
  idle.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
  await idle.until('live')

  const stopped = service[Symbol.asyncDispose]()
  // Idle connections are closed immediately, and no new ones are accepted.
  await idle.untilClosed()
  await expect(openRaw(service.url)).rejects.toThrow(/ECONNREFUSED/)
  begun.send(payload)
  const answer = await begun.untilClosed()
  expect(answer).toContain('HTTP/1.1 202 Accepted')
  expect(answer).toContain('"artifact_id"')
  await stopped
})

test('what never ends is cut after a while', async () => {
  const service = await startService(
    createTestContext(database.pool, { environment: { NUMERA_METRICS_PORT: '0' } }),
    { port: 0, drainMsMax: 100 },
  )
  const begun = await openRaw(service.url)
  begun.send(
    'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\ngrant',
  )
  // It is under way: the service has taken its head, and a request sent after it is answered.
  const other = await openRaw(service.url)
  other.send('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(await other.untilClosed()).toContain('HTTP/1.1 200')
  const startedMs = performance.now()
  const stopped = service[Symbol.asyncDispose]()
  // It gets nothing: there is no answer to half a request.
  expect(await begun.untilClosed()).toBe('')
  const cutMs = performance.now() - startedMs
  expect(cutMs).toBeGreaterThan(90)
  await stopped
  // Right after the cut: otherwise stopping would have waited for its maximum.
  expect(performance.now() - startedMs - cutMs).toBeLessThan(closeMsMax)
})

test('answers are logged by the pattern of their route and never by their address', async () => {
  const lines: Record<string, unknown>[] = []
  const log = context.log as unknown as {
    debug: (line: Record<string, unknown>) => void
    isLevelEnabled: () => boolean
  }
  const { debug, isLevelEnabled } = log
  log.debug = (line) => void lines.push(line)
  log.isLevelEnabled = () => true
  try {
    await (await fetch(`${url}/health/live`)).arrayBuffer()
    await (await fetch(`${url}/console/companies/556012-5790?q=secret`)).arrayBuffer()
    await (await fetch(`${url}/v1/nothing-556012-5790?token=secret`)).arrayBuffer()
    await expect.poll(() => lines.length).toBe(3)
    expect(JSON.stringify(lines)).not.toMatch(/556012|secret|nothing/)
    expect(lines[2]).toMatchObject({
      method: 'GET',
      route: '(none)',
      status: 400,
      requestId: expect.any(String),
    })
  } finally {
    Object.assign(log, { debug, isLevelEnabled })
  }
})
