import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  csv,
  isReplay,
  startWebhookScene,
  toErrorText,
} from '../../../../testing/in-process/scenes/webhook-scene.ts'
import { createLog } from '../../../platform/telemetry/log.ts'
import { rotateSigningSecret } from '../../../company/sources/signing-secrets/rotate-signing-secret.ts'
import { seedConnection, seedWebhookSource } from '../../../../testing/in-process/seed.ts'
import { strangeMasterKeys } from '../../../../testing/in-process/test-keys.ts'
import { webhookSignature } from './signature.ts'

const hooks = await startWebhookScene()
const { context, app, limitedApp, open, newAddress, nowSeconds, call, send } = hooks
const { storedRows } = hooks

const rotate = async (): Promise<string> =>
  (await rotateSigningSecret(context, 'operator', hooks.seeded.company.companyId, hooks.source.sourceId))
    .signingSecret

const readCount = async (name: string): Promise<number> => {
  const { values } = await context.telemetry.registry.getSingleMetric(name)!.get()
  return values.find((value) => value.labels['channel'] === 'webhook')?.value ?? 0
}

describe('a signed delivery', () => {
  test('is stored as received, queued, and answered with its receipt', async () => {
    const body = '[ {"at":"2026-01-15","amount": 1.50e+1 },\n {"amount":"-2"} ]'
    const answer = await send('order:1', body)
    expect(answer.statusCode).toBe(202)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'ratelimit-limit': '1000000',
    })
    expect(answer.headers).not.toHaveProperty('idempotent-replayed')
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    const receipt = answer.json()
    expect(receipt).toEqual({
      artifact_id: expect.any(String),
      shape_version: 1,
      status: 'queued',
      sandbox: false,
      dropped_keys: [],
      delivers: 'events',
    })
    expect(await storedRows()).toMatchObject([
      {
        artifact_id: receipt.artifact_id,
        company_id: hooks.seeded.company.companyId,
        connection_id: null,
        sandbox: false,
        idempotency_key: 'order:1',
        format: 'json',
        received_at: new Date(context.clock.now()),
        received_sha256: createHash('sha256').update(body).digest(),
        projection_id: 0,
        text: body,
      },
    ])
  })

  test('may be one object, a list of no rows, or CSV', async () => {
    const table = 'at;amount\r\n2026-01-15;1,5\r\n'
    await send('a', '{"amount":"1"}')
    await send('b', '[]')
    await send('c', table, csv)
    const rows = await storedRows()
    expect(rows.map(({ format, text }) => [format, text])).toEqual([
      ['json', '{"amount":"1"}'],
      ['json', '[]'],
      ['csv', table],
    ])
  })

  test('loses undeclared keys and columns, which its receipt lists', async () => {
    const json = await send('a', '[{"note":"x","amount":"1"},{"B":2}]')
    expect(json.json().dropped_keys).toEqual(['B', 'note'])
    const table = await send('b', 'at,note,amount\n2026-01-15,x,1\n', csv)
    expect(table.json().dropped_keys).toEqual(['note'])
    expect((await storedRows()).map(({ text }) => text)).toEqual([
      '[{"amount":"1"},{}]',
      'at,amount\n2026-01-15,1\n',
    ])
  })

  test('of a statements source has that in its receipt', async () => {
    const { sourceId, signingSecret: secret } = await seedWebhookSource(
      context,
      hooks.seeded.company.companyId,
      {
        delivers: 'statements',
      },
    )
    expect((await send('a', '[]', { sourceId, secret })).json().delivers).toBe('statements')
  })

  test('names its source in either case, and may be behind a percent sign', async () => {
    expect((await send('a', '{}', { sourceId: hooks.source.sourceId.toUpperCase() })).statusCode).toBe(202)
    const encoded = `%${hooks.source.sourceId.charCodeAt(0).toString(16)}${hooks.source.sourceId.slice(1)}`
    expect(isReplay(await send('a', '{}', { sourceId: encoded }))).toBe(true)
  })

  test('is opened by nothing but its signature: a connection does not count, for or against', async () => {
    const { credential } = await seedConnection(context, hooks.seeded)
    const unsigned = { 'service-signature': undefined, authorization: `Bearer ${credential}` }
    expect(toErrorText(await send('a', '{}', { headers: unsigned }))).toBe('401 unauthenticated')
    const authorization = 'Bearer nsk_unknown'
    const reference = { authorization, origin: 'http://localhost:8080', 'x-numera-reference': '1' }
    expect((await send('a', '{}', { headers: reference })).statusCode).toBe(202)
  })
})

describe('the signature header', () => {
  test('that is missing is 401 with its own scheme', async () => {
    const answer = await send('a', '{}', { headers: { 'service-signature': undefined } })
    expect(toErrorText(answer)).toBe('401 unauthenticated')
    expect(answer.headers['www-authenticate']).toBe('Service-Signature')
  })

  test('may be 300 seconds off either way, and not 301', async () => {
    for (const [ms, seconds] of [
      [0, 0],
      [999, 0],
    ] as const) {
      context.clock.advance(ms)
      for (const [off, passes] of [
        [-300, true],
        [300, true],
        [-301, false],
        [301, false],
      ] as const) {
        const answer = await send('a', '{}', { t: nowSeconds() + off + seconds })
        expect(passes ? answer.statusCode : toErrorText(answer)).toBe(
          passes ? 202 : '400 invalid_argument Service-Signature',
        )
      }
    }
  })

  test('covers time, delivery id and every byte of the body', async () => {
    const t = nowSeconds()
    const signed = (id: string, body: string) => ({
      headers: {
        'service-signature': `t=${t},v1=${webhookSignature(hooks.source.signingSecret, t, id, Buffer.from(body))}`,
      },
    })
    expect((await send('a', '{}', signed('a', '{}'))).statusCode).toBe(202)
    expect(toErrorText(await send('b', '{}', signed('a', '{}')))).toBe('404 not_found')
    expect(toErrorText(await send('a', '{} ', signed('a', '{}')))).toBe('404 not_found')
    const other = signed('a', '{}').headers['service-signature'].replace(String(t), String(t - 1))
    expect(toErrorText(await send('a', '{}', { headers: { 'service-signature': other } }))).toBe(
      '404 not_found',
    )
  })
})

describe('rotation', () => {
  const hourMs = 3_600_000
  let amounts = 0
  const opens = async (secret: string): Promise<boolean> => {
    const answer = await send(randomUUID(), `{"amount":"${++amounts}"}`, { secret, address: newAddress() })
    expect([202, 404]).toContain(answer.statusCode)
    return answer.statusCode === 202
  }
  test('both secrets work for 24 hours, then the new one alone', async () => {
    const first = hooks.source.signingSecret
    expect(await opens(first)).toBe(true)
    const second = await rotate()
    expect([await opens(first), await opens(second)]).toEqual([true, true])
    context.clock.advance(24 * hourMs - 1)
    expect([await opens(first), await opens(second)]).toEqual([true, true])
    context.clock.advance(1)
    expect([await opens(first), await opens(second)]).toEqual([false, true])
  })

  test('a second rotation within it ends the oldest immediately', async () => {
    const first = hooks.source.signingSecret
    const second = await rotate()
    const third = await rotate()
    expect([await opens(first), await opens(second), await opens(third)]).toEqual([false, true, true])
  })

  test('an ended secret verifies nothing and consumes no token, even if it was just used', async () => {
    const on = limitedApp
    const first = hooks.source.signingSecret
    expect((await send('a', '{"amount":"1"}', { on })).headers['ratelimit-remaining']).toBe('19')
    expect((await send('b', '{"amount":"2"}', { on })).headers['ratelimit-remaining']).toBe('18')
    await rotate()
    const third = await rotate()
    for (const id of ['c', 'd']) {
      const ended = await send(id, '{"amount":"3"}', { on, secret: first })
      expect(ended.statusCode).toBe(404)
      expect(ended.headers).not.toHaveProperty('ratelimit-remaining')
    }
    const text = { 'content-type': 'text/plain' }
    expect((await send('e', '{}', { on, secret: third, headers: text })).statusCode).toBe(415)
    const answer = await send('f', '{"amount":"4"}', { on, secret: third })
    expect(answer.headers['ratelimit-remaining']).toBe('17')
  })
})

test('other methods are 405, other paths 404', async () => {
  const url = `/v1/webhooks/${hooks.source.sourceId}`
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const answer = await call(app, url, method, {})
    expect(answer.statusCode).toBe(405)
    expect(answer.headers['allow']).toBe('OPTIONS, POST')
  }
  for (const path of ['/v1/webhooks', `${url}/x`]) {
    expect(toErrorText(await call(app, path, 'POST', {}))).toBe('404 not_found')
  }
  const preflight = await call(app, url, 'OPTIONS', { origin: 'https://a.example' })
  expect(preflight.headers).not.toHaveProperty('access-control-allow-origin')
})

test('a service under another master key answers 500, so that the sender retries', async () => {
  const strange = await open({ ...context, keys: { ...context.keys, master: strangeMasterKeys } })
  const answer = await send('a', '{}', { on: strange })
  await strange.close()
  expect(toErrorText(answer)).toBe('500 internal')
})

test('neither secrets, signatures nor bodies are logged', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } })
  const loud = await open({ ...context, log })
  const t = nowSeconds()
  const signed = webhookSignature(
    hooks.source.signingSecret,
    t,
    'a',
    Buffer.from('{"amount":"confidential"}'),
  )
  await send('a', '{"amount":"confidential"}', { on: loud })
  await send('a', '{"amount":"confidential too"}', { on: loud })
  await send('b', '{"amount":"confidential"', { on: loud })
  await send('b', '{"amount":"confidential"}', { on: loud, secret: 'nws_wrong' })
  await loud.close()
  expect(lines.length).toBeGreaterThanOrEqual(4)
  for (const line of lines) {
    expect(line).not.toContain('confidential')
    expect(line).not.toContain(hooks.source.signingSecret)
    expect(line).not.toContain(signed)
    expect(line).not.toMatch(/v1=/)
  }
})

test('accepts and replays are counted as webhooks', async () => {
  const before = await readCount('numera_deliveries_accepted_total')
  const replaysBefore = await readCount('numera_deliveries_replayed_total')
  await send('a', '{}')
  await send('b', '{}')
  expect(await readCount('numera_deliveries_accepted_total')).toBe(before + 1)
  expect(await readCount('numera_deliveries_replayed_total')).toBe(replaysBefore + 1)
})
