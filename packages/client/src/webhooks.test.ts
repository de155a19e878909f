import { describe, expect, test } from 'vitest'
import * as errors from './errors.ts'
import { verifyDelivery } from './sign.ts'
import { sendWebhook } from './webhooks.ts'
import {
  caught,
  fault,
  receipt,
  type ScriptedService,
  startScriptedService,
  stored,
} from '../testing/scripted-service.ts'

/*
 * The specification's sender retry contract, each rule quoted; see rules.test.ts.
 */

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
