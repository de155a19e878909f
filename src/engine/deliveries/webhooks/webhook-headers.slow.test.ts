import { beforeEach, describe, expect, test } from 'vitest'
import { startWebhookScene, toErrorText } from '../../../../testing/in-process/scenes/webhook-scene.ts'
import { openRaw } from '../../../../testing/process/raw-connection.ts'
import { addShape } from '../../../../testing/in-process/source.ts'
import { webhookSignature } from './signature.ts'

const hooks = await startWebhookScene()
const { database, app, toUrl, nowSeconds, send } = hooks
const { storedRows, storedCount } = hooks

describe('the signature header', () => {
  const mac = 'a'.repeat(64)

  test.each([
    '',
    't=1768478400',
    `v1=${mac}`,
    `t=,v1=${mac}`,
    `t=-1768478400,v1=${mac}`,
    `t=+1768478400,v1=${mac}`,
    `t=1768478400.0,v1=${mac}`,
    `t=1e9,v1=${mac}`,
    `t=0x6968,v1=${mac}`,
    `t=1768478400, v1=${mac}`,
    `t=1768478400;v1=${mac}`,
    `t=1768478400,v1=${mac.slice(1)}`,
    `t=1768478400,v1=${mac}a`,
    `t=1768478400,v1=${mac.toUpperCase()}`,
    `t=1768478400,v1=${mac.slice(1)}g`,
    `t=1768478400,v1=${mac},`,
    `t=1768478400,v1=${mac},v1=${mac}`,
    `t=1768478400,t=1768478400,v1=${mac}`,
    `t=1768478400,v1=${mac},v0=${mac}`,
    `v1=${mac},t=1768478400`,
    `T=1768478400,V1=${mac}`,
    `t=1768478400,v2=${mac}`,
    `t=${'1'.repeat(4_000)},v1=${mac}`,
  ])('%j is malformed', async (header) => {
    const answer = await send('a', '{}', { headers: { 'service-signature': header } })
    expect(toErrorText(answer)).toBe('400 invalid_argument Service-Signature')
  })
})

describe('the delivery id', () => {
  test.each([undefined, '', 'a.b', 'a b', 'å', 'a,b', 'a/b', 'a'.repeat(201), 'service:', 'service:a'])(
    '%j is refused',
    async (id) => {
      const answer = await send('a', '{}', { headers: { 'service-delivery-id': id } })
      expect(toErrorText(answer)).toBe('400 invalid_argument Service-Delivery-Id')
    },
  )

  test.each(['a', '0', 'Az09-_:', 'a'.repeat(200), 'Service:a', 'aservice:', '__proto__'])(
    '%j is taken',
    async (id) => {
      expect((await send(id, '{}')).statusCode).toBe(202)
      expect((await storedRows())[0].idempotency_key).toBe(id)
    },
  )
})

test('a header that is sent twice is malformed', async () => {
  const t = nowSeconds()
  const signature = `Service-Signature: t=${t},v1=${webhookSignature(hooks.source.signingSecret, t, 'a', Buffer.from('{}'))}`
  const id = 'Service-Delivery-Id: a'
  for (const [headers, expected] of [
    [[signature, signature, id], '"field":"Service-Signature"'],
    [[signature, id, id], '"field":"Service-Delivery-Id"'],
    [
      [signature, id, 'X-Service-Shape-Version: 1', 'X-Service-Shape-Version: 1'],
      '"field":"X-Service-Shape-Version"',
    ],
    [[signature, id], '202'],
  ] as const) {
    const raw = await openRaw(toUrl(app))
    raw.send(
      `POST /v1/webhooks/${hooks.source.sourceId} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers.join('\r\n')}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    )
    expect(await raw.untilClosed()).toContain(expected)
  }
})

describe('the media type', () => {
  test.each([
    undefined,
    '',
    'text/plain',
    'application/octet-stream',
    'application/json; charset=latin1',
    'text/csv; charset=iso-8859-1',
    'text/csv, text/csv',
    'application/jsonx',
    'multipart/form-data; boundary=x',
  ])('%j is 415', async (type) => {
    const answer = await send('a', '{}', { headers: { 'content-type': type } })
    expect(toErrorText(answer)).toBe('415 unsupported_media_type Content-Type')
  })

  test.each([
    ['application/json;charset=utf-8', '{}'],
    ['Application/JSON', '{}'],
    ['text/csv; header=present; charset="UTF-8"', 'amount\n1\n'],
  ])('%j is taken', async (type, body) => {
    expect((await send('a', body, { headers: { 'content-type': type } })).statusCode).toBe(202)
  })

  test('a Content-Encoding other than identity is 415', async () => {
    for (const encoding of ['gzip', 'identity, gzip']) {
      const answer = await send('a', '{}', { headers: { 'content-encoding': encoding } })
      expect(toErrorText(answer)).toBe('415 unsupported_media_type Content-Encoding')
    }
    expect((await send('a', '{}', { headers: { 'content-encoding': 'identity' } })).statusCode).toBe(202)
  })
})

describe('the shape version', () => {
  beforeEach(async () => {
    const fields = ['at', 'amount', 'sum'].map((name) => ({
      name,
      type: name === 'at' ? ('timestamp' as const) : ('number' as const),
      personal: false,
    }))
    await addShape(
      database.pool,
      { companyId: hooks.seeded.company.companyId, sourceId: hooks.source.sourceId },
      2,
      {
        fields,
      },
    )
  })

  test('is the current one, or the one that the header names', async () => {
    const current = await send('a', '{"customer":"c","sum":1}')
    expect(current.json()).toMatchObject({ shape_version: 2, dropped_keys: ['customer'] })
    const older = await send('b', '{"customer":"c","sum":2}', { headers: { 'x-service-shape-version': '1' } })
    expect(older.json()).toMatchObject({ shape_version: 1, dropped_keys: ['sum'] })
  })

  test.each(['', '0', '3', '-1', '1.0', '01', 'a', '1 1', '9'.repeat(400)])('%j is none', async (version) => {
    const answer = await send('a', '{}', { headers: { 'x-service-shape-version': version } })
    expect(toErrorText(answer)).toBe('400 invalid_argument X-Service-Shape-Version')
  })

  test('another one does not create another delivery', async () => {
    const first = await send('a', '{"amount":"1"}')
    const again = await send('a', '{"amount":"1"}', { headers: { 'x-service-shape-version': '1' } })
    expect(again.body).toBe(first.body)
    const alias = await send('b', '{"amount":"1"}', { headers: { 'x-service-shape-version': '1' } })
    expect(alias.body).toBe(first.body)
    expect(await storedCount()).toBe(1)
  })
})
