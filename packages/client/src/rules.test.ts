import { describe, expect, test } from 'vitest'
import * as errors from './errors.ts'
import { InvalidKey } from './key.ts'
import {
  caught,
  fault,
  order,
  push,
  receipt,
  type Received,
  type Reply,
  row,
  startScriptedService,
  stored,
} from '../testing/scripted-service.ts'

/*
 * The specification's rules for senders, each quoted, against a service that answers by a script. The clock is the test's: nothing
 * waits. Those about credentials, limits and webhooks are in credentials.test.ts, limits.test.ts and webhooks.test.ts.
 */

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
    // Of the second attempt too, which succeeds.
    const timeoutMs = reply === 'silence' ? 2_000 : 60_000
    expect(await push(service, { timeoutMs })).toMatchObject({
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

test('“derives its idempotency key from the input, never from a clock or a random value”', async () => {
  await using service = await startScriptedService(stored)
  const numera = service.client()
  for (const key of [crypto.randomUUID(), `sent-${service.clock.now()}`, '', 'service:1', 'x'.repeat(201)]) {
    await expect(numera.push([row], { key, shapeVersion: 1 }), key).rejects.toThrow(InvalidKey)
  }
  expect(service.received).toEqual([])
  await numera.push([row], { key: crypto.randomUUID(), shapeVersion: 1, unsafeKey: true })
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
