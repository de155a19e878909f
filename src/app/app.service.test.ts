import { beforeAll, expect, test } from 'vitest'
import { createLog } from '../platform/telemetry/log.ts'
import { openRaw } from '../../testing/process/raw-connection.ts'
import { seedCompany, seedConnection, seedSource } from '../../testing/in-process/seed.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'
import { buildApp } from './app.ts'
import { startService } from './start-service.ts'

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

/** Every error under /v1 is JSON with a code, a message, a link to its explanation and the request’s id, and is not cached. */
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

test('a credential in the URL is refused first, even beside a valid header', async () => {
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

test('other addresses may have parameters with the names of credentials', async () => {
  await expectError(await fetch(`${url}/nothing?token=a`), 404, 'not_found')
})

test('a path that cannot be decoded is 400, and nothing of it comes back', async () => {
  const answer = await fetch(`${url}/v1/%zz%f0secret`)
  const body = await expectError(answer, 400, 'invalid_argument')
  expect(JSON.stringify(body)).not.toContain('secret')
})

const post = (body: string, type = 'application/json'): Promise<Response> =>
  fetch(`${url}/v1/checked`, { method: 'POST', body, headers: { 'content-type': type } })

test('a body that is invalid, too large or of another media type is answered with an error', async () => {
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

test('an internal fault is 500 internal, and only the log has its details', async () => {
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

test('refusals of strangers are counted by code in one line a minute', async () => {
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

test('each request has an id, and a safe short one of the caller is used', async () => {
  const [first, second] = await Promise.all([fetch(`${url}/health/live`), fetch(`${url}/health/live`)])
  expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'))
  const kept = await fetch(`${url}/v1/nothing`, { headers: { 'x-request-id': 'trace-0123456789' } })
  expect(kept.headers.get('x-request-id')).toBe('trace-0123456789')
  const unsafe = await fetch(`${url}/v1/nothing`, { headers: { 'x-request-id': '{"a":1}' } })
  expect(unsafe.headers.get('x-request-id')).not.toBe('{"a":1}')
})

test('scripts of any origin may read samples, tokens and metadata, errors included', async () => {
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

test('other sites load only what any site may read', async () => {
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

test('pages may use no browser feature that needs a permission', async () => {
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

test('a service that stops finishes its requests and accepts no new ones', async () => {
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

test('the log has the pattern of a route, and never its address', async () => {
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
