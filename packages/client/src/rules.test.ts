import { describe, expect, test } from 'vitest'
import * as errors from './errors.ts'
import { InvalidKey } from './key.ts'
import { InvalidRow } from './rows.ts'
import { verifyDelivery } from './sign.ts'
import { sendWebhook } from './webhooks.ts'
import {
  fault,
  receipt,
  type Received,
  type Reply,
  type ScriptedService,
  startScriptedService,
  stored,
  token,
} from '../testing/scripted-service.ts'

/*
 * The specification's rules for senders, each quoted, against a service that answers by a script. The clock is the test's: nothing
 * waits.
 */

const row = { at: '2026-11-22T09:30:00+01:00', amount: '249.50' }
const order = { key: 'order:1001', shapeVersion: 1 }
const push = (service: ScriptedService, options = {}) => service.client(options).push([row], order)
const caught = async (work: Promise<unknown>): Promise<errors.NumeraError> => {
  try {
    await work
  } catch (error) {
    return error as errors.NumeraError
  }
  throw new Error('nothing was thrown')
}
const html = '<html>Bad gateway</html>'

describe('“Retry 429, 5xx, timeouts and dropped connections, always with the same idempotency key and body”', () => {
  test.each<[string, Reply]>([
    ['429 with a wait', fault(429, 'rate_limited', { 'retry-after': '1' })],
    ['429 without a wait', fault(429, 'rate_limited')],
    ['408', fault(408, 'internal')],
    ['500', fault(500, 'internal')],
    ['502 of a proxy', { status: 502, headers: { 'content-type': 'text/html' }, body: html }],
    ['503', fault(503, 'internal', { 'retry-after': '1' })],
    ['a connection that is cut', 'cut'],
    ['a connection that is cut within the answer', 'cut within'],
    ['a slow connection', 'silence'],
    ['a redirect', { status: 307, headers: { location: 'https://elsewhere.example/' } }],
    ['a 202 that is no receipt', { status: 202, body: { ok: true } }],
    ['a 202 that is not JSON', { status: 202, body: html }],
    ['a 202 with an empty body', { status: 202 }],
    ['a 404 that is not JSON', { status: 404, body: html }],
  ])('%s', async (_, reply) => {
    await using service = await startScriptedService(reply, stored)
    expect(await push(service, { timeoutMs: 100 })).toMatchObject({
      artifactId: receipt.artifact_id,
      replayed: false,
    })
    expect(service.received).toHaveLength(2)
    const [first, second] = service.received as [Received, Received]
    expect(second.body).toBe(first.body)
    expect(JSON.parse(first.body)).toEqual({
      idempotency_key: 'order:1001',
      shape_version: 1,
      payload: [row],
    })
    expect(service.clock.sleeps).toEqual([1000])
  })

  test('a file is sent again with the same header and bytes', async () => {
    await using service = await startScriptedService('cut', fault(503, 'internal'), stored)
    const bytes = new TextEncoder().encode('at,amount\n2026-11-22,1\n')
    const [part] = await Array.fromAsync(service.client().pushFile(bytes, { key: 'day' }))
    expect(part).toMatchObject({ key: 'day', part: 1, rows: 1, bytesSent: 23, bytesTotal: 23 })
    expect(
      new Set(service.received.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)),
    ).toEqual(new Set(['day at,amount\n2026-11-22,1\n']))
  })

  test('for 15 minutes, or as long as one says', async () => {
    await using service = await startScriptedService(fault(503, 'internal'))
    const error = await caught(push(service))
    expect(error).toBeInstanceOf(errors.Internal)
    expect(error).toMatchObject({ status: 503, requestId: 'r-1', attempts: service.received.length })
    const waited = service.clock.sleeps.reduce((sum, ms) => sum + ms, 0)
    expect(waited).toBeGreaterThan(13 * 60_000)
    expect(waited).toBeLessThanOrEqual(15 * 60_000)
    expect(await caught(push(service, { giveUpAfterMs: 0 }))).toMatchObject({ attempts: 1 })
  })
})

test('“Wait longer each time (for example 1, 2, 4, 8 seconds with jitter)”, up to a minute', async () => {
  await using service = await startScriptedService(
    ...Array.from({ length: 8 }, () => fault(500, 'internal')),
    stored,
  )
  await push(service)
  expect(service.clock.sleeps).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000))
})

test('“and at least Retry-After after a 429”, as seconds or a date', async () => {
  const date = 'Sun, 22 Nov 2026 08:30:00 GMT'
  await using service = await startScriptedService(
    fault(429, 'rate_limited', { 'retry-after': '60' }),
    fault(429, 'rate_limited', { 'retry-after': 'Sun, 22 Nov 2026 08:32:00 GMT', date }),
    stored,
  )
  await push(service)
  expect(service.clock.sleeps).toEqual([60_000, 120_000])
  service.replies = [fault(429, 'rate_limited', { 'retry-after': '3600' })]
  const error = await caught(push(service))
  expect(error).toBeInstanceOf(errors.RateLimited)
  expect(error).toMatchObject({ attempts: 1, retryAfterMs: 3_600_000 })
})

describe('“Do not retry other 4xx unchanged”', () => {
  test.each<[number, string, typeof errors.NumeraError]>([
    [400, 'invalid_argument', errors.InvalidArgument],
    [400, 'credential_in_url', errors.CredentialInUrl],
    [401, 'unauthenticated', errors.CredentialRefused],
    [403, 'permission_denied', errors.PermissionDenied],
    [403, 'docs_origin_needs_sandbox', errors.DocsOriginNeedsSandbox],
    [403, 'webhook_only', errors.WebhookOnly],
    [404, 'not_found', errors.NotFound],
    [405, 'method_not_allowed', errors.MethodNotAllowed],
    [409, 'key_reused', errors.KeyReused],
    [409, 'source_paused', errors.SourcePaused],
    [409, 'conflict', errors.Conflict],
    [413, 'invalid_argument', errors.InvalidArgument],
    [415, 'unsupported_media_type', errors.UnsupportedMediaType],
    [422, 'a_later_code', errors.NumeraError],
  ])('%i %s', async (status, code, ErrorOfCode) => {
    await using service = await startScriptedService(fault(status, code))
    const error = await caught(push(service))
    expect(error.constructor).toBe(ErrorOfCode)
    expect(error).toMatchObject({ status, code, requestId: 'r-1', attempts: 1, name: ErrorOfCode.name })
    expect(error.help).toBe(`https://numera.example/docs/errors#${code}`)
    expect(service.received).toHaveLength(1)
  })
})

test('“source paused: stop; resend the same data with the same keys once resumed”', async () => {
  await using service = await startScriptedService(fault(409, 'source_paused'), stored)
  const numera = service.client()
  const options = { ...order, sourceId: '0190a2b4-0000-7000-8000-000000000001' }
  expect(await caught(numera.push([row], options))).toBeInstanceOf(errors.SourcePaused)
  expect(await caught(numera.push([row], options))).toBeInstanceOf(errors.SourcePaused)
  expect(service.received).toHaveLength(1)
  await numera.push([row], { ...options, sourceId: '0190a2b4-0000-7000-8000-000000000002' })
  numera.resume(options.sourceId)
  await numera.push([row], options)
  expect(service.received).toHaveLength(3)
  expect(service.received[2]!.body).toBe(service.received[0]!.body)
})

describe('“With a refused credential, it stops”', () => {
  const connection = { clientId: 'a:b', clientSecret: 'ncs_å' }

  test('a static one on the first 401', async () => {
    await using service = await startScriptedService(fault(401, 'unauthenticated'), stored)
    const numera = service.client()
    expect(await caught(numera.push([row], order))).toBeInstanceOf(errors.CredentialRefused)
    expect(await caught(numera.companies())).toBeInstanceOf(errors.CredentialRefused)
    expect(service.received).toHaveLength(1)
  })

  test('“Ask for a new one a minute before expires_in runs out”', async () => {
    await using service = await startScriptedService(token('nat_1'), stored, stored, token('nat_2'), stored)
    const numera = service.client({}, connection)
    await numera.push([row], order)
    service.clock.advance(3_539_000)
    await numera.push([row], order)
    service.clock.advance(1000)
    await numera.push([row], order)
    const [, ...calls] = service.received.map(({ path, headers }) => `${path} ${headers.authorization}`)
    expect(calls).toEqual([
      '/v1/ingest Bearer nat_1',
      '/v1/ingest Bearer nat_1',
      expect.stringMatching(/^\/oauth\/token Basic /),
      '/v1/ingest Bearer nat_2',
    ])
  })

  test('“and once more on a 401”, immediately', async () => {
    await using service = await startScriptedService(
      token('nat_1'),
      fault(401, 'unauthenticated'),
      token('nat_2'),
      stored,
    )
    await service.client({}, connection).push([row], order)
    expect(service.received.at(-1)!.headers.authorization).toBe('Bearer nat_2')
    expect(service.clock.sleeps).toEqual([])
  })

  test('“A second 401 is final”', async () => {
    const refused = fault(401, 'unauthenticated')
    await using service = await startScriptedService(token('nat_1'), refused, token('nat_2'), refused)
    const numera = service.client({}, connection)
    expect(await caught(numera.push([row], order))).toMatchObject({ name: 'CredentialRefused', attempts: 2 })
    expect(await caught(numera.push([row], order))).toBeInstanceOf(errors.CredentialRefused)
    expect(service.received).toHaveLength(4)
  })

  test('“The secret is sent only to the token endpoint”, form-encoded', async () => {
    await using service = await startScriptedService(token('nat_1'), stored)
    await service.client({}, connection).push([row], order)
    const [exchange, call] = service.received as [Received, Received]
    expect(exchange).toMatchObject({
      method: 'POST',
      path: '/oauth/token',
      body: 'grant_type=client_credentials',
    })
    expect(atob(exchange.headers.authorization!.slice(6))).toBe('a%3Ab:ncs_%C3%A5')
    expect(JSON.stringify(call)).not.toMatch(/ncs_|Basic/)
    expect(() => service.client({}, { credential: 'ncs_secret' })).toThrow(TypeError)
  })

  test('“A bad client id or secret, or a revoked or expired connection, gives 401 invalid_client”', async () => {
    const body = { error: 'invalid_client', error_description: 'Unknown.' }
    await using service = await startScriptedService({ status: 401, body })
    const numera = service.client({}, connection)
    expect(await caught(numera.push([row], order))).toMatchObject({
      name: 'CredentialRefused',
      message: 'Unknown.',
    })
    expect(await caught(numera.push([row], order))).toBeInstanceOf(errors.CredentialRefused)
    expect(service.received).toHaveLength(1)
  })

  test('one exchange serves all calls, and is itself tried again', async () => {
    const unavailable = {
      status: 503,
      body: { error: 'temporarily_unavailable', error_description: 'Later.' },
    }
    await using service = await startScriptedService(unavailable, token('nat_1'), stored)
    const numera = service.client({}, connection)
    await Promise.all(Array.from({ length: 5 }, () => numera.push([row], order)))
    expect(service.received.filter(({ path }) => path === '/oauth/token')).toHaveLength(2)
  })

  test("an app's token comes from its own function", async () => {
    await using service = await startScriptedService(fault(401, 'unauthenticated'), {
      status: 200,
      body: { companies: [] },
    })
    let current = 'nat_old'
    const provide = ({ renew }: { renew: boolean }): string => (renew ? (current = 'nat_new') : current)
    await service.client({}, { token: provide }).companies()
    expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer nat_old',
      'Bearer nat_new',
    ])
  })
})

test('“derives its idempotency key from the input, never from a clock or a random value”', async () => {
  await using service = await startScriptedService(stored)
  const numera = service.client()
  for (const key of [crypto.randomUUID(), `sent-${service.clock.now()}`, '', 'service:1', 'x'.repeat(201)]) {
    await expect(numera.push([row], { key, shapeVersion: 1 }), key).rejects.toThrow(InvalidKey)
  }
  expect(service.received).toEqual([])
  await numera.push([row], { key: crypto.randomUUID(), shapeVersion: 1, unsafeKey: true })
})

/** A bucket as the service keeps it, in whole tokens, on the test's clock. */
const limited = (service: ScriptedService, perMinute: number, burst: number) => {
  let tokens = burst
  let atMs = service.clock.now()
  return (): Reply => {
    const nowMs = service.clock.now()
    tokens = Math.min(burst, tokens + ((nowMs - atMs) / 60_000) * perMinute)
    atMs = nowMs
    const isTaken = tokens >= 1
    if (isTaken) tokens--
    const headers = {
      'ratelimit-limit': `${perMinute}`,
      'ratelimit-remaining': `${Math.floor(tokens)}`,
      'ratelimit-reset': `${Math.ceil(((burst - tokens) / perMinute) * 60)}`,
    }
    return isTaken ? { ...(stored as object), status: 202, headers } : fault(429, 'rate_limited', headers)
  }
}

describe('“60 per minute per connection, burst 20”', () => {
  test.each([
    [60, 20],
    [10, 20],
    [600, 200],
  ])('a loop at %i a minute with a burst of %i never gets a 429', async (perMinute, burst) => {
    await using service = await startScriptedService(stored)
    const statuses: number[] = []
    const next = limited(service, perMinute, burst)
    service.replies = [
      () => {
        const reply = next()
        statuses.push((reply as { status: number }).status)
        return reply
      },
    ]
    const numera = service.client({ giveUpAfterMs: Number.POSITIVE_INFINITY })
    for (let i = 0; i < 60; i++) await numera.push([row], order)
    expect(new Set(statuses)).toEqual(new Set([202]))
    // No slower than the service allows, but for a second of rounding each.
    expect(service.clock.sleeps.length).toBeLessThanOrEqual(Math.max(0, 60 - burst) + 1)
  })
})

test('“over 8388608 bytes: split push deliveries, each with its own key”', async () => {
  await using service = await startScriptedService(
    {
      status: 200,
      body: {
        sources: [{ source_id: 's', name: 'S', delivers: 'events', shape_version: 1, paused: false }],
        next_cursor: null,
      },
    },
    stored,
  )
  const numera = service.client()
  const large = { at: '2026-11-22', note: 'x'.repeat(9_000_000) }
  await expect(numera.push(large, order)).rejects.toThrow(InvalidRow)
  expect(service.received).toEqual([])
  const line = `${JSON.stringify({ at: '2026-11-22', note: 'x'.repeat(1_000_000) })}\n`
  const parts = await Array.fromAsync(numera.pushFile(new Blob([line.repeat(10)]), { key: 'lines' }))
  const keys = service.received.slice(1).map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([
    expect.stringMatching(/^lines#1\/[0-9a-f]{12}$/),
    expect.stringMatching(/^lines#2\/[0-9a-f]{12}$/),
  ])
  expect(parts.map(({ rows, key }) => ({ rows, key }))).toEqual([
    { rows: 8, key: keys[0] },
    { rows: 2, key: keys[1] },
  ])
  expect(service.received.slice(1).map(({ body }) => body.length)).toEqual([line.length * 8, line.length * 2])
})

test('a file of statements is not cut without being told to: a later part would replace an earlier one', async () => {
  const sources = [{ source_id: 's', name: 'S', delivers: 'statements', shape_version: 1, paused: false }]
  await using service = await startScriptedService(
    { status: 200, body: { sources, next_cursor: null } },
    stored,
  )
  const file = new Blob([`at,note\n${`2026-11-22,${'x'.repeat(1_000_000)}\n`.repeat(9)}`])
  const send = (options = {}) => Array.fromAsync(service.client().pushFile(file, { key: 'day', ...options }))
  await expect(send()).rejects.toThrow(/statements/)
  expect(service.received.map(({ path }) => path)).toEqual(['/v1/sources'])
  expect(await send({ allowSplit: true })).toHaveLength(2)
})

describe('“Sender retry contract” of webhooks', () => {
  const secret = 'nws_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'
  const send = (service: ScriptedService, signal?: AbortSignal) =>
    sendWebhook({
      url: `${service.url}/v1/webhooks/0190a2b4-58cc-7372-a567-0e02b2c3d479`,
      secret,
      deliveryId: 'order:1001',
      body: '{"order":"1001"}',
      clock: service.clock,
      ...(signal && { signal }),
    })

  test('“on 2xx, do not send again”', async () => {
    await using service = await startScriptedService(stored)
    expect(await send(service)).toMatchObject({ artifactId: receipt.artifact_id })
    expect(service.received).toHaveLength(1)
  })

  test.each([
    [400, 'invalid_argument'],
    [401, 'unauthenticated'],
    [404, 'not_found'],
    [409, 'source_paused'],
    [409, 'key_reused'],
    [413, 'too_large'],
    [415, 'unsupported_media_type'],
  ])('“On 400, 401, 404, 409, 413, 415 do not retry the same request”: %i %s', async (status, code) => {
    await using service = await startScriptedService(fault(status, code))
    expect(await caught(send(service))).toMatchObject({ status, code, attempts: 1 })
  })

  test('“On 429, wait Retry-After seconds”; else “starting at 30 seconds, doubling each time up to one hour”', async () => {
    const later = fault(429, 'rate_limited', { 'retry-after': '7' })
    const failures = Array.from({ length: 9 }, () => fault(503, 'internal'))
    await using service = await startScriptedService(later, ...failures, fault(429, 'rate_limited'), stored)
    await send(service)
    const [told, ...backoff] = service.clock.sleeps.map((ms) => ms / 1000)
    expect(told).toBe(7)
    expect(backoff).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
  })

  test('“give up after 3 days”', async () => {
    await using service = await startScriptedService('cut')
    expect(await caught(send(service))).toBeInstanceOf(errors.Unreachable)
    const days = service.clock.sleeps.reduce((sum, ms) => sum + ms, 0) / 86_400_000
    expect(days).toBeGreaterThan(2.9)
    expect(days).toBeLessThanOrEqual(3)
  })

  test('each attempt is signed with its own time, “and keep the same delivery id”', async () => {
    await using service = await startScriptedService(fault(500, 'internal'), stored)
    await send(service)
    const signed = service.received.map(({ headers }) => ({
      id: headers['service-delivery-id'],
      signature: `${headers['service-signature']}`,
    }))
    expect(new Set(signed.map(({ id }) => id))).toEqual(new Set(['order:1001']))
    expect(new Set(signed.map(({ signature }) => signature)).size).toBe(2)
    const { body } = service.received[1]!
    const { signature } = signed[1]!
    const at = { secret, deliveryId: 'order:1001', body, signature, nowMs: service.clock.now() }
    expect(await verifyDelivery(at)).toBeUndefined()
  })
})

test('an aborted call sends nothing more', async () => {
  await using service = await startScriptedService('silence')
  const stop = new AbortController()
  const pushing = service.client().push([row], { ...order, signal: stop.signal })
  await expect.poll(() => service.received.length).toBe(1)
  stop.abort(new Error('enough'))
  await expect(pushing).rejects.toThrow('enough')
  const samples = service.client().samples({ signal: stop.signal })
  await expect(samples.next()).rejects.toThrow('enough')
  expect(service.received).toHaveLength(1)
})
