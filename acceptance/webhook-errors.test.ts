/** `POST /v1/webhooks/{source_id}`: the specification's table of answers, row by row. */
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advance, type Answer, call, errorOf } from '../testing/process/call.ts'
import { readSamples, waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { openShop, type Shop, sourceBody } from '../testing/process/shop.ts'
import { untilRefused } from './until-refused.ts'

let service: Service
let shop: Shop
beforeAll(async () => {
  service = await startService({ environment: { NUMERA_TRUST_PROXY: '1' } })
  shop = await openShop(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

interface Source {
  id: string
  secret: string
}

const createSource = async (): Promise<Source> => {
  const { body } = await shop.browser.post(`${shop.pages}/sources`, sourceBody({ channel: 'webhook' }))
  return { id: body.source_id, secret: body.signing_secret }
}

let aheadSeconds = 0
const wait = async (seconds: number): Promise<void> => {
  await advance(shop.url, seconds)
  aheadSeconds += seconds
}
const clock = (): number => Math.floor(Date.now() / 1_000) + aheadSeconds

const sign = (secret: string, t: number, id: string, body: string): string =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${id}.${body}`).digest('hex')}`

interface Sent {
  id?: string
  body?: string
  type?: string
  /** The client's address, according to the proxy. */
  from?: string
  headers?: Record<string, string>
}

const deliver = ({ id: source, secret }: Source, options: Sent = {}): Promise<Answer> => {
  const { id = randomUUID(), body = `{"at":"2026-01-15","amount":"1","note":"${id}"}` } = options
  return call(`${shop.url}/v1/webhooks/${source}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': options.type ?? 'application/json',
      'service-delivery-id': id,
      'service-signature': sign(secret, clock(), id, body),
      'x-forwarded-for': options.from ?? '192.0.2.1',
      ...options.headers,
    },
  })
}

test('202: a JSON object, a list and CSV are stored, parsed and summed to one sample', async () => {
  const source = await createSource()
  const { credential } = await shop.connect({ source_id: source.id, permissions: ['metrics.read'] })
  const at = '2026-01-15'
  const answers = [
    await deliver(source, { body: `{"at":"${at}","amount":"1.25"}` }),
    await deliver(source, { body: `[{"at":"${at}","amount":"2"},{"at":"${at}","amount":"-0.5"}]` }),
    await deliver(source, { body: `at;amount;note\r\n${at};3;"två\r\nrader"\r\n`, type: 'text/csv' }),
  ]
  for (const { status, body } of answers) {
    expect([status, body.status, body.sandbox, body.delivers, body.shape_version]).toEqual([
      202,
      'queued',
      false,
      'events',
      1,
    ])
    await waitUntilRead(shop.url, credential, body.artifact_id)
  }
  expect(answers.map(({ body }) => body.dropped_keys)).toEqual([[], [], ['note']])
  const { samples } = await readSamples(shop.url, credential, { from: '2026-01-01', to: '2026-02-01' })
  expect(samples).toMatchObject([
    { metric: 'revenue', value: '5.75', artifact_id: answers[2]!.body.artifact_id },
  ])
})

test('202: a repeated body gets the first receipt, also under another id', async () => {
  const source = await createSource()
  const first = await deliver(source, { id: 'a', body: '{}' })
  const again = await deliver(source, { id: 'a', body: '{}' })
  const alias = await deliver(source, { id: 'b', body: '{}' })
  expect([again.text, alias.text]).toEqual([first.text, first.text])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('400 credential_in_url and 401 unauthenticated: a credential does not replace the signature', async () => {
  const source = await createSource()
  const url = `${shop.url}/v1/webhooks/${source.id}`
  expect(errorOf(await call(`${url}?token=x`, { method: 'POST', body: '{}' })).code).toBe('credential_in_url')
  const { credential } = await shop.connect({ source_id: source.id })
  const answer = await call(url, { method: 'POST', credential, body: '{}' })
  expect(errorOf(answer)).toEqual({ status: 401, code: 'unauthenticated' })
  expect(answer.headers.get('www-authenticate')).toBe('Service-Signature')
})

test('404 not_found: all wrong addresses and signatures get the same answer', async () => {
  const { secret } = await createSource()
  const push = await shop.createSource()
  const webhook = (await createSource()).id
  const texts = []
  for (const id of [randomUUID(), push, webhook, 'shop']) {
    const answer = await deliver({ id, secret }, { headers: { 'x-request-id': 'the-same-1' } })
    expect(answer.status).toBe(404)
    texts.push(answer.text)
  }
  expect(new Set(texts).size).toBe(1)
})

test('409 source_paused stores nothing, 409 key_reused keeps the first delivery', async () => {
  const source = await createSource()
  const first = await deliver(source, { id: 'a', body: '{"amount":"1"}' })
  expect(errorOf(await deliver(source, { id: 'a', body: '{"amount":"2"}' })).code).toBe('key_reused')
  await shop.browser.post(`${shop.pages}/sources/${source.id}/pause`)
  expect(errorOf(await deliver(source, { id: 'b', body: '{"amount":"2"}' }))).toEqual({
    status: 409,
    code: 'source_paused',
  })
  expect((await deliver(source, { id: 'a', body: '{"amount":"1"}' })).text).toBe(first.text)
  await shop.browser.post(`${shop.pages}/sources/${source.id}/resume`)
  expect((await deliver(source, { id: 'b', body: '{"amount":"3"}' })).status).toBe(202)
})

test('429 for a source that sends a burst of more than 20, and for a network that fails too often', async () => {
  const source = await createSource()
  const { passed, refused, seconds } = await untilRefused(25, () => deliver(source))
  expect(new Set(passed.map(({ status }) => status))).toEqual(new Set([202]))
  expect(passed.length).toBeGreaterThanOrEqual(20)
  expect(passed.length).toBeLessThanOrEqual(20 + seconds)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) {
    expect(answer.body.code).toBe('rate_limited')
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(answer.headers.get('ratelimit-limit')).toBe('60')
  }

  const wrong = { id: source.id, secret: 'nws_wrong' }
  const failed = await untilRefused(150, () => deliver(wrong, { from: '198.51.100.7' }))
  expect(new Set(failed.passed.map(({ status }) => status))).toEqual(new Set([404]))
  expect(failed.passed.length).toBeGreaterThanOrEqual(120)
  expect(failed.passed.length).toBeLessThanOrEqual(120 + failed.seconds)
  expect(failed.refused.length).toBeGreaterThan(0)
  await wait(30)
  expect((await deliver(source, { from: '198.51.100.8' })).status).toBe(202)
})
