import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  csv,
  startWebhookScene,
  toErrorText,
  type WebhookSend,
} from '../../../../testing/in-process/scenes/webhook-scene.ts'
import { seedSource, seedWebhookSource } from '../../../../testing/in-process/seed.ts'
import { webhookSignature } from './signature.ts'

const hooks = await startWebhookScene()
const { database, context, otherApp, limitedApp, newAddress, nowSeconds, call, send } = hooks
const { storedCount, pause, setChannel } = hooks

const signatureHeader = (at: number, secret: string, bytes: string | Buffer) =>
  `t=${at},v1=${webhookSignature(secret, at, 'a', Buffer.from(bytes))}`

/** The body of an error repeats the id of its request. */
const sameRequestId = { 'x-request-id': 'the-same-1' }

/** Every kind of call that an address and a signature open nothing for. */
const closedCalls = async (): Promise<[string, WebhookSend][]> => {
  const push = await seedSource(context, hooks.seeded.company.companyId)
  const bare = await seedWebhookSource(context, hooks.seeded.company.companyId)
  await database.pool.query('delete from webhook_secrets where source_id = $1', [bare.sourceId])
  const secret = `nws_${'0'.repeat(43)}`
  return [
    ['a wrong secret', { secret }],
    ['no such source', { sourceId: randomUUID() }],
    ['a push source', { sourceId: push.sourceId }],
    ['a source without a secret', { sourceId: bare.sourceId }],
    ['another source', { sourceId: bare.sourceId, secret: hooks.source.signingSecret }],
    ['no uuid', { sourceId: 'shop' }],
    ['an empty name', { sourceId: '' }],
    ['no source at all', { sourceId: '00000000-0000-0000-0000-000000000000' }],
  ]
}

describe('what opens nothing', () => {
  test('gets one answer, byte for byte, with the same headers', async () => {
    const answers = []
    for (const [what, options] of await closedCalls()) {
      const sent = { ...options, address: newAddress(), headers: sameRequestId }
      const { statusCode, body, headers } = await send('a', '{}', sent)
      const { date: _date, ...rest } = headers
      answers.push({ what, statusCode, body, rest })
    }
    for (const { what, ...answer } of answers) {
      const { what: _what, ...first } = answers[0]!
      expect(answer, what).toEqual(first)
    }
    expect(answers[0]!.statusCode).toBe(404)
    expect(answers[0]!.rest).not.toHaveProperty('ratelimit-remaining')
    expect(JSON.parse(answers[0]!.body)).toEqual({
      code: 'not_found',
      message:
        'No webhook source accepts this address with this signature: compare the address, the secret and the exact bytes that were signed.',
      help: expect.stringContaining('/docs/errors#not_found'),
      request_id: sameRequestId['x-request-id'],
    })
  })

  test('gets it for any large body too', async () => {
    const bodies = []
    for (const [, options] of await closedCalls()) {
      const sent = { ...options, address: newAddress(), headers: sameRequestId }
      const answer = await send('a', Buffer.alloc(300_000, '{'), sent)
      bodies.push(`${answer.statusCode} ${answer.body}`)
    }
    expect(new Set(bodies).size).toBe(1)
  })

  test('nothing opens a push source, even with secrets left from before', async () => {
    const { sourceId } = hooks.source
    await database.pool.query(`update sources set channel = 'push' where source_id = $1`, [sourceId])
    expect(toErrorText(await send('a', '{}'))).toBe('404 not_found')
  })

  test('the secret of a source that became a push source', async () => {
    await setChannel('push')
    expect(toErrorText(await send('a', '{}'))).toBe('404 not_found')
  })
})

describe('failed attempts of a client network', () => {
  const wrong = { secret: 'nws_wrong' }

  const fail = (times: number, options: WebhookSend = {}) =>
    Promise.all(Array.from({ length: times }, () => send('a', '{}', { ...wrong, ...options })))

  test('are 404 120 times, then 429 for every sender of the network, to every source', async () => {
    const answers = await fail(130)
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(120)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(10)

    const neighbour = hooks.address.replace(/1$/, '99')
    const refused = await send('a', '{}', { address: neighbour, on: otherApp })
    expect(toErrorText(refused)).toBe('429 rate_limited')
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '120',
    })
    const { sourceId, signingSecret } = await seedWebhookSource(context, hooks.seeded.company.companyId)
    expect((await send('a', '{}', { sourceId, secret: signingSecret })).statusCode).toBe(429)
    expect((await send('a', '{}', { address: newAddress() })).statusCode).toBe(202)

    context.clock.advance(1_000)
    expect((await send('b', '{"amount":"1"}')).statusCode).toBe(202)
    expect((await send('c', '{"amount":"2"}')).statusCode).toBe(202)
    expect((await send('c', '{}', wrong)).statusCode).toBe(404)
    expect((await send('c', '{}', wrong)).statusCode).toBe(429)
  })
})

describe('the rate of a source', () => {
  test('is 60 a minute, burst 20, sent with every answer that consumed a token', async () => {
    const on = limitedApp
    for (let index = 0; index < 20; index++) {
      const answer = await send('a', index % 2 === 0 ? '{}' : '{', { on })
      expect(answer.statusCode).toBe(index % 2 === 0 ? 202 : 400)
      expect(answer.headers).toMatchObject({
        'ratelimit-limit': '60',
        'ratelimit-remaining': String(19 - index),
        'ratelimit-reset': String(index + 1),
      })
    }
    const refused = await send('a', '{', { on })
    expect(toErrorText(refused)).toBe('429 rate_limited')
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '20',
    })
    context.clock.advance(1_000)
    expect((await send('a', '{}', { on })).statusCode).toBe(202)
    expect((await send('a', '{}', { on })).statusCode).toBe(429)

    const { sourceId, signingSecret } = await seedWebhookSource(context, hooks.seeded.company.companyId)
    expect((await send('a', '{}', { on, sourceId, secret: signingSecret })).statusCode).toBe(202)
  })
})

test('malformed bodies name the body, and nothing is stored', async () => {
  const json = [
    '',
    '{',
    '"text"',
    '1',
    'null',
    '[{},1]',
    '[[]]',
    '{"amount":1,"amount":2}',
    '{} {}',
    'a,b\n1,2',
  ]
  const tables = ['', 'foo,bar\n1,2\n', 'at,amount\n"1,2', 'at,amount\n"1"x,2', 'amount,amount\n1,2']
  const latin1 = Buffer.from('{"country":"é"}', 'latin1')
  for (const body of [...json, latin1, '[{"amount":"1"}'.repeat(30_000)]) {
    expect(toErrorText(await send('a', body)), String(body).slice(0, 20)).toBe('400 invalid_argument body')
  }
  for (const body of [...tables, latin1, 'foo\n'.repeat(100_000)]) {
    expect(toErrorText(await send('a', body, csv)), String(body).slice(0, 20)).toBe(
      '400 invalid_argument body',
    )
  }
  expect(await storedCount()).toBe(0)
})

/** Everything is wrong; then one fault after another is corrected: the first one left is reported. */
test('the checks are in the order of hook.order', async () => {
  const on = limitedApp
  const body = '{'
  const t = nowSeconds()
  const large = Buffer.alloc(8_388_609, '{')
  const blocked = newAddress()
  await Promise.all(Array.from({ length: 120 }, () => send('a', '{}', { secret: 'x', address: blocked })))
  await Promise.all(Array.from({ length: 20 }, (_, index) => send('used', `{"amount":"${index}"}`, { on })))
  await pause(new Date())

  const headers: Record<string, string | undefined> = {
    'content-type': 'text/plain',
    'service-delivery-id': 'a.b',
    'service-signature': undefined,
    'x-service-shape-version': '9',
    'x-forwarded-for': blocked,
  }
  let url = `/v1/webhooks/${hooks.source.sourceId}?token=x`
  let payload: string | Buffer = large
  const answer = async () => toErrorText(await call(on, url, 'POST', headers, Buffer.from(payload)))

  expect(await answer()).toBe('400 credential_in_url')
  url = `/v1/webhooks/${hooks.source.sourceId}`
  expect(await answer()).toBe('401 unauthenticated')
  headers['service-signature'] = 'x'
  expect(await answer()).toBe('400 invalid_argument Service-Signature')
  headers['service-signature'] = signatureHeader(t - 301, 'wrong', large)
  expect(await answer()).toBe('400 invalid_argument Service-Delivery-Id')
  headers['service-delivery-id'] = 'a'
  expect(await answer()).toBe('400 invalid_argument Service-Signature')
  headers['service-signature'] = signatureHeader(t, 'wrong', large)
  expect(await answer()).toBe('429 rate_limited')
  headers['x-forwarded-for'] = hooks.address
  expect(await answer()).toBe('413 too_large body')
  payload = body
  headers['service-signature'] = signatureHeader(t, 'wrong', body)
  expect(await answer()).toBe('415 unsupported_media_type Content-Type')
  headers['content-type'] = 'application/json'
  expect(await answer()).toBe('404 not_found')
  headers['service-signature'] = signatureHeader(t, hooks.source.signingSecret, body)
  expect(await answer()).toBe('429 rate_limited')
  context.clock.advance(5_000)
  expect(await answer()).toBe('400 invalid_argument X-Service-Shape-Version')
  delete headers['x-service-shape-version']
  expect(await answer()).toBe('400 invalid_argument body')
  headers['service-delivery-id'] = 'used'
  payload = '{}'
  headers['service-signature'] =
    `t=${t},v1=${webhookSignature(hooks.source.signingSecret, t, 'used', Buffer.from(payload))}`
  expect(await answer()).toBe('409 key_reused')
  headers['service-delivery-id'] = 'a'
  headers['service-signature'] = signatureHeader(t, hooks.source.signingSecret, payload)
  expect(await answer()).toBe('409 source_paused')
})
