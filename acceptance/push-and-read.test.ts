import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, call, delivery, errorOf, ingest } from '../testing/process/call.ts'
import { readSamples, waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { type Connection, openShop, revenue, type Shop } from '../testing/process/shop.ts'
import { saveSource } from '../testing/process/save-source.ts'

const at = '2026-01-15T12:00:00+01:00'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let service: Service
let shop: Shop
let sourceId: string
let connection: Connection
beforeAll(async () => {
  service = await startService({
    environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  shop = await openShop(service)
  sourceId = await shop.createSource({ metrics: [revenue({ group_by: ['country'] })] })
  connection = await shop.connect({ source_id: sourceId })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const january = { from: '2026-01-01', to: '2026-02-01' }
const push = (body: unknown, options?: { query?: string; headers?: Record<string, string> }) =>
  ingest(shop.url, connection.credential, body, options)
const pause = (id = sourceId) => shop.browser.post(`${shop.pages}/sources/${id}/pause`)
const resume = (id = sourceId) => shop.browser.post(`${shop.pages}/sources/${id}/resume`)

describe('A push', () => {
  test('gets a receipt of six members, and is read back exactly', async () => {
    const id = await shop.createSource({ metrics: [revenue({ group_by: ['country'] })] })
    const { credential } = await shop.connect({ source_id: id })
    const answer = await ingest(
      shop.url,
      credential,
      delivery([
        { at, amount: '0.1', country: 'SE', customer: 'anna' },
        { at, amount: '0.2', country: 'SE', customer: 'bo' },
        { at, amount: '12345678901234567890.000000000000000001', country: 'NO', customer: 'cai' },
      ]),
    )
    expect(answer.status).toBe(202)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.has('idempotent-replayed')).toBe(false)
    expect(answer.body).toEqual({
      artifact_id: expect.stringMatching(uuid),
      shape_version: 1,
      status: 'queued',
      sandbox: false,
      dropped_keys: [],
      delivers: 'events',
    })
    const { artifact_id } = answer.body
    await waitUntilRead(shop.url, credential, artifact_id)
    expect(await readSamples(shop.url, credential, january)).toEqual({
      source_id: id,
      window: { ...january, max_days: 731, narrowed: false },
      samples: [
        { country: 'NO', value: '12345678901234567890.000000000000000001' },
        { country: 'SE', value: '0.3' },
      ].map(({ country, value }) => ({
        metric: 'revenue',
        period_start: '2026-01-15',
        value,
        labels: { country },
        sandbox: false,
        artifact_id,
      })),
      truncated: false,
    })
  })

  test('of one object has one row; of an empty list none', async () => {
    const one = await push(delivery({ at, amount: '1' }))
    const none = await push(delivery([]))
    expect([one.status, none.status]).toEqual([202, 202])
    expect(await waitUntilRead(shop.url, connection.credential, one.body.artifact_id)).toMatchObject({
      rows_accepted: 1,
    })
    expect(await waitUntilRead(shop.url, connection.credential, none.body.artifact_id)).toMatchObject({
      state: 'parsed',
      rows_accepted: 0,
      rows_refused: 0,
    })
  })

  test('lists at most fifty dropped keys, sorted', async () => {
    const few = await push(delivery([{ at, zeta: '1', Alpha: '1', ä: '1', alpha: '1' }]))
    expect(few.body.dropped_keys).toEqual(['Alpha', 'alpha', 'zeta', 'ä'])
    const names = Array.from({ length: 51 }, (_, index) => `key-${String(index).padStart(2, '0')}`)
    const many = await push(
      delivery([{ at, ...Object.fromEntries(names.toReversed().map((name) => [name, '1'])) }]),
    )
    expect(many.body.dropped_keys).toEqual(names.slice(0, 50))
  })
})

describe('The same key again', () => {
  const original = `{"idempotency_key":"same","shape_version":1,"payload":[{"at":"${at}","amount":"1.50","x":"1"}]}`

  test.each([
    ['the same bytes', original],
    ['other white space', original.replaceAll(',', ' ,\n ')],
    [
      'the keys in another order',
      `{"payload":[{"x":"1","amount":"1.50","at":"${at}"}],"shape_version":1,"idempotency_key":"same"}`,
    ],
    ['a text written with escapes', original.replace('1.50', '1.\\u0035\\u0030')],
  ])('with %s gets the first receipt, byte for byte', async (_name, body) => {
    const first = await push(original)
    const again = await push(body)
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test.each([
    ['another value', original.replace('1.50', '1.5')],
    ['a number for a string', original.replace('"1.50"', '1.50')],
    ['another undeclared key', original.replace('"x":"1"', '"x":"2"')],
    ['an object for a list of one', original.replace('[', '').replace(']', '')],
    ['another row', original.replace(']', `,{"at":"${at}"}]`)],
  ])('with %s is key_reused', async (_name, body) => {
    await push(original)
    expect(errorOf(await push(body))).toEqual({ status: 409, code: 'key_reused' })
  })

  test('is a delivery of its own at another source, and over a sandbox connection', async () => {
    const first = await push(original)
    const other = await shop.connect({ source_id: await shop.createSource() })
    const sandbox = await shop.connect({ source_id: sourceId, kind: 'sandbox' })
    const answers = [
      first,
      await ingest(shop.url, other.credential, original),
      await ingest(shop.url, sandbox.credential, original),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202])
    expect(new Set(answers.map((answer) => answer.body.artifact_id)).size).toBe(3)
    const second = await shop.connect({ source_id: sourceId })
    expect((await ingest(shop.url, second.credential, original)).text).toBe(first.text)
  })

  test('from a dozen concurrent senders is stored once', async () => {
    const body = delivery([{ at, amount: '3' }])
    const answers = await Promise.all(Array.from({ length: 12 }, () => push(body)))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect(answers.filter((answer) => !answer.headers.has('idempotent-replayed'))).toHaveLength(1)
  })
})

describe('A paused source', () => {
  test('refuses new deliveries, answers stored ones, and accepts the same key once resumed', async () => {
    const stored = delivery([{ at, amount: '1' }])
    const first = await push(stored)
    const fresh = delivery([{ at: '2026-01-29T10:00:00Z', amount: '5', country: 'DK' }])
    expect((await pause()).status).toBe(204)

    expect(errorOf(await push(fresh))).toEqual({ status: 409, code: 'source_paused' })
    const again = await push(stored)
    expect([again.status, again.text]).toEqual([202, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(errorOf(await push({ ...stored, payload: [] }))).toEqual({ status: 409, code: 'key_reused' })
    // Reads still work.
    expect((await readSamples(shop.url, connection.credential)).source_id).toBe(sourceId)

    expect((await resume()).status).toBe(204)
    const accepted = await push(fresh)
    expect(accepted.status).toBe(202)
    expect(accepted.headers.has('idempotent-replayed')).toBe(false)
    await waitUntilRead(shop.url, connection.credential, accepted.body.artifact_id)
    const { samples } = await readSamples(shop.url, connection.credential, { ...january, from: '2026-01-29' })
    expect(samples.map((sample) => sample.value)).toEqual(['5'])
  })
})

describe('A sandbox connection', () => {
  test('has receipts marked so, and is apart from production in every read', async () => {
    const id = await shop.createSource()
    const production = await shop.connect({ source_id: id })
    const sandbox = await shop.connect({ source_id: id, kind: 'sandbox' })
    const real = await ingest(shop.url, production.credential, delivery([{ at, amount: '10' }]))
    const trial = await ingest(shop.url, sandbox.credential, delivery([{ at, amount: '3' }]))
    expect([real.body.sandbox, trial.body.sandbox]).toEqual([false, true])
    await waitUntilRead(shop.url, production.credential, real.body.artifact_id)
    await waitUntilRead(shop.url, sandbox.credential, trial.body.artifact_id)

    const readBy = async ({ credential }: Connection) =>
      (await readSamples(shop.url, credential, january)).samples.map(({ value, sandbox: test_ }) => [
        value,
        test_,
      ])
    expect(await readBy(production)).toEqual([['10', false]])
    expect(await readBy(sandbox)).toEqual([['3', true]])
    const days = 'from=2026-01-01&to=2026-02-01'
    const report = await shop.browser.get(`${shop.pages}/sources/${id}/reports/revenue?${days}`)
    expect(report.body.row_total).toBe('10')
    const peek = (of: Connection, artifact: string) =>
      call(`${shop.url}/v1/deliveries/${artifact}`, { credential: of.credential })
    expect((await peek(production, trial.body.artifact_id)).status).toBe(404)
    expect((await peek(sandbox, real.body.artifact_id)).status).toBe(404)
  })
})

describe('A shape version', () => {
  test('that is older is accepted and parsed as such; an unknown one is 400', async () => {
    const id = await shop.createSource()
    const { credential } = await shop.connect({ source_id: id })
    const { body: shown } = await shop.browser.get(`${shop.pages}/sources/${id}`)
    const [{ fields }] = shown.versions
    const saved = await saveSource(shop.browser, `${shop.pages}/sources/${id}`, {
      fields: [...fields, { name: 'channel', type: 'text', personal: false }],
    })
    expect(saved.body).toMatchObject({ source: { shape_version: 2 }, rebuilds: false })
    const send = (shape_version: unknown) =>
      ingest(shop.url, credential, {
        ...delivery([{ at, amount: '1', channel: 'web' }]),
        shape_version,
      })
    expect((await send(1)).body).toMatchObject({ shape_version: 1, dropped_keys: ['channel'] })
    expect((await send(2)).body).toMatchObject({ shape_version: 2, dropped_keys: [] })
    for (const unknown of [3, 0, -1, 1.5, '1', null, 2 ** 40]) {
      expect(errorOf(await send(unknown))).toEqual({
        status: 400,
        code: 'invalid_argument',
        field: 'shape_version',
      })
    }
  })
})

test('A bound connection may name its own source and company, and no other', async () => {
  const { orgnr } = shop.company
  const otherId = await shop.createSource()
  const body = delivery([{ at, amount: '1' }])
  expect((await push(body, { query: `?source_id=${sourceId}&orgnr=${orgnr}` })).status).toBe(202)
  expect(errorOf(await push(body, { query: `?source_id=${otherId}` }))).toEqual({
    status: 404,
    code: 'not_found',
  })
})

test('A read with an ETag gets 304 until a delivery is parsed', async () => {
  const id = await shop.createSource()
  const { credential } = await shop.connect({ source_id: id })
  const read = (tag?: string) =>
    call(`${shop.url}/v1/samples?from=2026-01-01&to=2026-02-01`, {
      credential,
      ...(tag === undefined ? {} : { headers: { 'if-none-match': tag } }),
    })
  const empty = await read()
  const tag = empty.headers.get('etag')!
  expect((await read(tag)).status).toBe(304)
  for (let round = 1; round <= 5; round++) {
    const { body } = await ingest(shop.url, credential, delivery([{ at, amount: '1' }]))
    await waitUntilRead(shop.url, credential, body.artifact_id)
    const after = await read(tag)
    expect(after.status).toBe(200)
    expect(after.body.samples[0].value).toBe(String(round))
  }
})

test('Samples as of an earlier instant are those of that instant', async () => {
  const id = await shop.createSource({ delivers: 'statements' })
  const { credential } = await shop.connect({ source_id: id })
  const instants: string[] = []
  for (const amount of ['1', '2', '3']) {
    const { body } = await ingest(shop.url, credential, delivery([{ at, amount }]))
    await waitUntilRead(shop.url, credential, body.artifact_id)
    await advance(shop.url, 60)
    instants.push((await call(`${shop.url}/test/clock`)).body.now)
    await advance(shop.url, 60)
  }
  const values = []
  for (const as_of of instants) {
    values.push((await readSamples(shop.url, credential, { ...january, as_of })).samples.map((s) => s.value))
  }
  expect(values).toEqual([['1'], ['2'], ['3']])
})
