import { describe, expect, test } from 'vitest'
import { InvalidRow } from './rows.ts'
import {
  fault,
  order,
  type Reply,
  row,
  type ScriptedService,
  startScriptedService,
  stored,
} from '../testing/scripted-service.ts'

/*
 * What the specification says about rates and sizes, each rule quoted; see rules.test.ts.
 */

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
