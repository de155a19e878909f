import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../testing/in-process/test-database.ts'
import { buildApp } from '../../../app/app.ts'
import type { App } from '../../../platform/http/contract.ts'
import { createLog } from '../../../platform/telemetry/log.ts'
import { saveSourceAsOperator } from '../../../../testing/in-process/save-source.ts'
import { rotateSigningSecret } from '../../../company/sources/signing-secrets/rotate-signing-secret.ts'
import { openRaw } from '../../../../testing/process/raw-connection.ts'
import {
  seedCompany,
  seedConnection,
  seedSource,
  seedWebhookSource,
  type SeededCompany,
} from '../../../../testing/in-process/seed.ts'
import { addShape } from '../../../../testing/in-process/source.ts'
import { strangeMasterKeys } from '../../../../testing/in-process/test-keys.ts'
import { createTestContext, type TestContext } from '../../../../testing/in-process/test-context.ts'
import { decompressContent } from '../intake/compress.ts'
import { webhookSignature } from './signature.ts'

let database: TestDatabase
let context: TestContext
let app: App
/** The same service once more, as another process would be. */
let otherApp: App
/** The same with the specification's rates. */
let limitedApp: App
const environment = {
  NUMERA_TRUST_PROXY: '1',
  NUMERA_RATE_PER_MINUTE: '1000000',
  NUMERA_RATE_BURST: '100000',
}
beforeAll(async () => {
  database = await createTestDatabase()
  context = createTestContext(database.pool, { environment })
  const { clock } = context
  app = await open(context)
  otherApp = await open(createTestContext(database.pool, { environment, clock }))
  limitedApp = await open(
    createTestContext(database.pool, { environment: { NUMERA_TRUST_PROXY: '1' }, clock }),
  )
})
const urls = new Map<App, string>()
/** The service on a port of its own. */
const open = async (options: TestContext): Promise<App> => {
  const opened = await buildApp(options)
  urls.set(opened, await opened.listen({ host: '127.0.0.1', port: 0 }))
  return opened
}
afterAll(async () => {
  for (const each of [app, otherApp, limitedApp]) await each.close()
  await database[Symbol.asyncDispose]()
})

let seeded: SeededCompany
let source: Awaited<ReturnType<typeof seedWebhookSource>>
/** Of this test alone, so that failed attempts of others do not count. */
let address: string
let networks = 0
const newAddress = (): string => `10.${++networks >> 8}.${networks & 255}.1`
beforeEach(async () => {
  seeded = await seedCompany(context)
  source = await seedWebhookSource(context, seeded.company.companyId)
  address = newAddress()
})

const nowSeconds = (): number => Math.floor(context.clock.now() / 1_000)

interface Send {
  /** In the path. */
  sourceId?: string
  secret?: string
  t?: number | string
  /** Undefined as a value leaves the header out. */
  headers?: Record<string, string | undefined>
  address?: string
  on?: App
}

interface Answer {
  statusCode: number
  headers: Record<string, string>
  body: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
  json: () => any
}

/** Over the wire: whether a body is there with its headers makes a difference inside, and none outside. */
const call = async (
  on: App,
  url: string,
  method: string,
  headers: Record<string, string | undefined>,
  body?: Uint8Array,
): Promise<Answer> => {
  const answer = await fetch(`${urls.get(on)}${url}`, {
    method,
    headers: Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
  })
  const text = await answer.text()
  return {
    statusCode: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: text,
    json: () => JSON.parse(text),
  }
}

const send = (id: string, body: string | Buffer, options: Send = {}): Promise<Answer> => {
  const t = options.t ?? nowSeconds()
  const bytes = Buffer.from(body)
  const headers = {
    'content-type': 'application/json',
    'service-delivery-id': id,
    'service-signature': `t=${t},v1=${webhookSignature(options.secret ?? source.signingSecret, t, id, bytes)}`,
    'x-forwarded-for': options.address ?? address,
    ...options.headers,
  }
  return call(
    options.on ?? app,
    `/v1/webhooks/${options.sourceId ?? source.sourceId}`,
    'POST',
    headers,
    bytes,
  )
}

const csv = { headers: { 'content-type': 'text/csv' } }

const storedRows = async () => {
  const { rows } = await database.pool.query(
    `select deliveries.*, backlog.projection_id
    from deliveries
    left join backlog using (company_id, receive_number)
    where deliveries.source_id = $1
    order by receive_number`,
    [source.sourceId],
  )
  return rows.map((row) => ({
    ...row,
    text: Buffer.from(
      decompressContent({ content: row.content, contentEncoding: row.content_encoding }),
    ).toString(),
  }))
}
const storedCount = async (): Promise<number> => (await storedRows()).length

const pause = (pausedAt: Date | null) =>
  database.pool.query('update sources set paused_at = $2 where source_id = $1', [source.sourceId, pausedAt])

const errorOf = (answer: Answer) => {
  const { code, field } = answer.json() as { code: string; field?: string }
  return field === undefined ? `${answer.statusCode} ${code}` : `${answer.statusCode} ${code} ${field}`
}
const artifactOf = (answer: Answer): string => {
  expect(answer.statusCode, answer.body).toBe(202)
  return (answer.json() as { artifact_id: string }).artifact_id
}
const isReplay = (answer: Answer): boolean => answer.headers['idempotent-replayed'] === 'true'

/** Calls take the two processes in turn. */
const either = (index: number): App => (index % 2 === 0 ? app : otherApp)
const atOnce = (count: number, run: (index: number) => ReturnType<typeof send>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

const rotate = async (): Promise<string> =>
  (await rotateSigningSecret(context, 'operator', seeded.company.companyId, source.sourceId)).signingSecret

const setChannel = (channel: 'push' | 'webhook') =>
  saveSourceAsOperator(context, { ...seeded.company, ...source }, { channel })
const push = async (key: string, payload: string) => {
  const { credential } = await seedConnection(context, { ...seeded, source })
  return call(
    app,
    '/v1/ingest',
    'POST',
    { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    Buffer.from(`{"idempotency_key":"${key}","shape_version":1,"payload":${payload}}`),
  )
}

const signatureHeader = (at: number, secret: string, bytes: string | Buffer) =>
  `t=${at},v1=${webhookSignature(secret, at, 'a', Buffer.from(bytes))}`

const countOf = async (name: string): Promise<number> => {
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
        company_id: seeded.company.companyId,
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
    source = await seedWebhookSource(context, seeded.company.companyId, { delivers: 'statements' })
    expect((await send('a', '[]')).json().delivers).toBe('statements')
  })

  test('may be large, in either format', async () => {
    const rows = JSON.stringify(Array.from({ length: 9_000 }, () => ({ amount: '1', note: 'Frida' })))
    const table = `at,note\n${'2026-01-15,Frida\n'.repeat(20_000)}`
    expect((await send('a', rows)).json().dropped_keys).toEqual(['note'])
    expect((await send('b', table, csv)).json().dropped_keys).toEqual(['note'])
    const again = await send('b', table, csv)
    expect(isReplay(again)).toBe(true)
    expect((await storedRows()).map(({ text }) => text.length)).toEqual([9_000 * 15 + 1, 3 + 20_000 * 11])
  })

  test('names its source in either case, and may be behind a percent sign', async () => {
    expect((await send('a', '{}', { sourceId: source.sourceId.toUpperCase() })).statusCode).toBe(202)
    const encoded = `%${source.sourceId.charCodeAt(0).toString(16)}${source.sourceId.slice(1)}`
    expect(isReplay(await send('a', '{}', { sourceId: encoded }))).toBe(true)
  })

  test('is opened by nothing but its signature: a connection does not count, for or against', async () => {
    const { credential } = await seedConnection(context, seeded)
    const unsigned = { 'service-signature': undefined, authorization: `Bearer ${credential}` }
    expect(errorOf(await send('a', '{}', { headers: unsigned }))).toBe('401 unauthenticated')
    const authorization = 'Bearer nsk_unknown'
    const reference = { authorization, origin: 'http://localhost:8080', 'x-numera-reference': '1' }
    expect((await send('a', '{}', { headers: reference })).statusCode).toBe(202)
  })
})

describe('the signature header', () => {
  test('that is missing is 401 with its own scheme', async () => {
    const answer = await send('a', '{}', { headers: { 'service-signature': undefined } })
    expect(errorOf(answer)).toBe('401 unauthenticated')
    expect(answer.headers['www-authenticate']).toBe('Service-Signature')
  })

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
    expect(errorOf(answer)).toBe('400 invalid_argument Service-Signature')
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
        expect(passes ? answer.statusCode : errorOf(answer)).toBe(
          passes ? 202 : '400 invalid_argument Service-Signature',
        )
      }
    }
  })

  test('covers time, delivery id and every byte of the body', async () => {
    const t = nowSeconds()
    const signed = (id: string, body: string) => ({
      headers: {
        'service-signature': `t=${t},v1=${webhookSignature(source.signingSecret, t, id, Buffer.from(body))}`,
      },
    })
    expect((await send('a', '{}', signed('a', '{}'))).statusCode).toBe(202)
    expect(errorOf(await send('b', '{}', signed('a', '{}')))).toBe('404 not_found')
    expect(errorOf(await send('a', '{} ', signed('a', '{}')))).toBe('404 not_found')
    const other = signed('a', '{}').headers['service-signature'].replace(String(t), String(t - 1))
    expect(errorOf(await send('a', '{}', { headers: { 'service-signature': other } }))).toBe('404 not_found')
  })
})

describe('the delivery id', () => {
  test.each([undefined, '', 'a.b', 'a b', 'å', 'a,b', 'a/b', 'a'.repeat(201), 'service:', 'service:a'])(
    '%j is refused',
    async (id) => {
      const answer = await send('a', '{}', { headers: { 'service-delivery-id': id } })
      expect(errorOf(answer)).toBe('400 invalid_argument Service-Delivery-Id')
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
  const signature = `Service-Signature: t=${t},v1=${webhookSignature(source.signingSecret, t, 'a', Buffer.from('{}'))}`
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
    const raw = await openRaw(urls.get(app)!)
    raw.send(
      `POST /v1/webhooks/${source.sourceId} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers.join('\r\n')}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    )
    expect(await raw.untilClosed()).toContain(expected)
  }
})

/** The body of an error repeats the id of its request. */
const sameRequestId = { 'x-request-id': 'the-same-1' }

/** Every kind of call that an address and a signature open nothing for. */
const closedCalls = async (): Promise<[string, Send][]> => {
  const push = await seedSource(context, seeded.company.companyId)
  const bare = await seedWebhookSource(context, seeded.company.companyId)
  await database.pool.query('delete from webhook_secrets where source_id = $1', [bare.sourceId])
  const secret = `nws_${'0'.repeat(43)}`
  return [
    ['a wrong secret', { secret }],
    ['no such source', { sourceId: randomUUID() }],
    ['a push source', { sourceId: push.sourceId }],
    ['a source without a secret', { sourceId: bare.sourceId }],
    ['another source', { sourceId: bare.sourceId, secret: source.signingSecret }],
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
    const { sourceId } = source
    await database.pool.query(`update sources set channel = 'push' where source_id = $1`, [sourceId])
    expect(errorOf(await send('a', '{}'))).toBe('404 not_found')
  })

  test('the secret of a source that became a push source', async () => {
    await setChannel('push')
    expect(errorOf(await send('a', '{}'))).toBe('404 not_found')
  })
})

describe('failed attempts of a client network', () => {
  const wrong = { secret: 'nws_wrong' }
  const fail = (times: number, options: Send = {}) =>
    Promise.all(Array.from({ length: times }, () => send('a', '{}', { ...wrong, ...options })))

  test('are 404 120 times, then 429 for every sender of the network, to every source', async () => {
    const answers = await fail(130)
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(120)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(10)

    const neighbour = address.replace(/1$/, '99')
    const refused = await send('a', '{}', { address: neighbour, on: otherApp })
    expect(errorOf(refused)).toBe('429 rate_limited')
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '120',
    })
    const { sourceId, signingSecret } = await seedWebhookSource(context, seeded.company.companyId)
    expect((await send('a', '{}', { sourceId, secret: signingSecret })).statusCode).toBe(429)
    expect((await send('a', '{}', { address: newAddress() })).statusCode).toBe(202)

    context.clock.advance(1_000)
    expect((await send('b', '{"amount":"1"}')).statusCode).toBe(202)
    expect((await send('c', '{"amount":"2"}')).statusCode).toBe(202)
    expect((await send('c', '{}', wrong)).statusCode).toBe(404)
    expect((await send('c', '{}', wrong)).statusCode).toBe(429)
  })

  test('lock no one out for longer when the clock is set back an hour', async () => {
    await fail(121)
    context.clock.advance(-3_600_000)
    const refused = await send('a', '{}')
    expect(errorOf(refused)).toBe('429 rate_limited')
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-reset': '120' })
    context.clock.advance(1_000)
    expect((await send('a', '{}')).statusCode).toBe(202)
    context.clock.advance(3_600_000)
  })

  test('are not what is malformed, late, refused for its body, or right', async () => {
    await fail(119)
    const one = newAddress()
    await send('a', '{}', { headers: { 'service-signature': undefined } })
    await send('a', '{}', { headers: { 'service-signature': 'x' } })
    await send('a.b', '{}')
    await send('a', '{}', { t: 1, ...wrong })
    await send('a', 'x', { ...wrong, headers: { 'content-type': 'text/plain' } })
    await send('a', '{', {})
    await send('a', '{}', {})
    await send('a', '{}', {})
    expect((await send('a', '{}', wrong)).statusCode).toBe(404)
    expect((await send('a', '{}', wrong)).statusCode).toBe(429)
    expect((await send('a', '{}', { ...wrong, address: one })).statusCode).toBe(404)
  })

  test('consume nothing of the rate of the source', async () => {
    await fail(40, { on: limitedApp })
    const answer = await send('a', '{}', { on: limitedApp })
    expect(answer.headers['ratelimit-remaining']).toBe('19')
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
    expect(errorOf(refused)).toBe('429 rate_limited')
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '20',
    })
    context.clock.advance(1_000)
    expect((await send('a', '{}', { on })).statusCode).toBe(202)
    expect((await send('a', '{}', { on })).statusCode).toBe(429)

    const { sourceId, signingSecret } = await seedWebhookSource(context, seeded.company.companyId)
    expect((await send('a', '{}', { on, sourceId, secret: signingSecret })).statusCode).toBe(202)
  })

  test('holds for concurrent calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(`a${index}`, `{"amount":"${index}"}`, { on: limitedApp }),
      ),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(20)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(30)
    expect(await storedCount()).toBe(20)
  })
})

/** Sends twenty small deliveries at the same time, and gives the milliseconds of the slowest. */
const sendSmall = async (name: string): Promise<number> => {
  const took = Array.from({ length: 20 }, async (_, index) => {
    const startedMs = performance.now()
    expect((await send(`${name}-${index}`, `{"amount":"${name}-${index}"}`)).statusCode).toBe(202)
    return performance.now() - startedMs
  })
  return Math.max(...(await Promise.all(took)))
}

describe('size', () => {
  const exact = Buffer.from(`[${' '.repeat(8_388_606)}]`)
  const more = Buffer.from(`[${' '.repeat(8_388_607)}]`)

  test('8,388,608 bytes pass, one more is 413', async () => {
    expect((await send('a', exact)).statusCode).toBe(202)
    expect(errorOf(await send('b', more))).toBe('413 too_large body')
    expect(await storedCount()).toBe(1)
  })

  test('is noticed while reading, where no length is announced', async () => {
    const answer = await fetch(`${urls.get(app)}/v1/webhooks/${source.sourceId}`, {
      method: 'POST',
      headers: signedHeaders('a', more),
      body: new ReadableStream({
        start: (controller) => {
          for (let at = 0; at < more.length; at += 65_536) controller.enqueue(more.subarray(at, at + 65_536))
          controller.close()
        },
      }),
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ code: 'too_large' })
  })

  test('small deliveries are answered while large ones are verified and read', async () => {
    const slowestAloneMs = await sendSmall('alone')
    const large = Array.from({ length: 4 }, (_, index) =>
      send(`large-${index}`, Buffer.from(`[${' '.repeat(8_000_000 + index)}]`)),
    )
    let largeDone = 0
    for (const answer of large) void answer.then(() => largeDone++)
    const slowestMs = await sendSmall('small')
    expect(largeDone).toBeLessThan(4)
    // A busy machine takes longer for small deliveries alone, too.
    expect(slowestMs).toBeLessThan(Math.max(1_000, 10 * slowestAloneMs))
    expect((await Promise.all(large)).map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202])
  })
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
    expect(errorOf(answer)).toBe('415 unsupported_media_type Content-Type')
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
      expect(errorOf(answer)).toBe('415 unsupported_media_type Content-Encoding')
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
    await addShape(database.pool, { companyId: seeded.company.companyId, sourceId: source.sourceId }, 2, {
      fields,
    })
  })

  test('is the current one, or the one that the header names', async () => {
    const current = await send('a', '{"customer":"c","sum":1}')
    expect(current.json()).toMatchObject({ shape_version: 2, dropped_keys: ['customer'] })
    const older = await send('b', '{"customer":"c","sum":2}', { headers: { 'x-service-shape-version': '1' } })
    expect(older.json()).toMatchObject({ shape_version: 1, dropped_keys: ['sum'] })
  })

  test.each(['', '0', '3', '-1', '1.0', '01', 'a', '1 1', '9'.repeat(400)])('%j is none', async (version) => {
    const answer = await send('a', '{}', { headers: { 'x-service-shape-version': version } })
    expect(errorOf(answer)).toBe('400 invalid_argument X-Service-Shape-Version')
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
    expect(errorOf(await send('a', body)), String(body).slice(0, 20)).toBe('400 invalid_argument body')
  }
  for (const body of [...tables, latin1, 'foo\n'.repeat(100_000)]) {
    expect(errorOf(await send('a', body, csv)), String(body).slice(0, 20)).toBe('400 invalid_argument body')
  }
  expect(await storedCount()).toBe(0)
})

describe('sent again', () => {
  test('the same id and body get the first receipt, byte for byte, however late and after a restart', async () => {
    const first = await send('a', '{"amount":"1","note":1}')
    context.clock.advance(400 * 24 * 3_600_000)
    const restarted = await open(context)
    const again = await send('a', '{"amount":"1","note":1}', { on: restarted })
    await restarted.close()
    expect(again.statusCode).toBe(202)
    expect(again.body).toBe(first.body)
    expect(isReplay(again)).toBe(true)
    expect(again.headers).toMatchObject({
      'ratelimit-limit': '1000000',
      'ratelimit-remaining': '99999',
      'ratelimit-reset': '1',
    })
    expect(await storedCount()).toBe(1)
  })

  test('the same id with another body is key_reused, even of the same JSON value', async () => {
    const first = await send('a', '{"amount":"1"}')
    for (const body of ['{"amount":"2"}', '{"amount": "1"}', '{"amount":"1"}\n']) {
      expect(errorOf(await send('a', body))).toBe('409 key_reused')
    }
    expect((await send('a', '{"amount":"1"}')).body).toBe(first.body)
    expect(await storedCount()).toBe(1)
  })

  test('another id with the same body gets the first receipt and is its alias', async () => {
    const first = await send('a', '{"amount":"1"}')
    const alias = await send('b', '{"amount":"1"}')
    expect(alias.body).toBe(first.body)
    expect(isReplay(alias)).toBe(true)
    expect(errorOf(await send('b', '{"amount":"2"}'))).toBe('409 key_reused')
    expect((await send('b', '{"amount":"1"}')).body).toBe(first.body)
    expect(await storedCount()).toBe(1)
  })

  test('as another media type the same bytes are the same delivery', async () => {
    const first = await send('a', 'amount\n1\n', csv)
    const asJson = await send('a', 'amount\n1\n')
    expect(asJson.statusCode).toBe(202)
    expect(asJson.body).toBe(first.body)
    expect((await send('b', 'amount\n1\n', csv)).body).toBe(first.body)
  })

  test('ids and bodies belong to their source', async () => {
    const first = await send('a', '{"amount":"1"}')
    const other = await seedWebhookSource(context, seeded.company.companyId)
    const to = { sourceId: other.sourceId, secret: other.signingSecret }
    const second = await send('a', '{"amount":"1"}', to)
    expect(isReplay(second)).toBe(false)
    expect(artifactOf(second)).not.toBe(artifactOf(first))
    expect((await send('b', '{"amount":"2"}', to)).statusCode).toBe(202)
    expect((await send('b', '{"amount":"3"}')).statusCode).toBe(202)
  })

  test('a refused body leaves its id free', async () => {
    expect(errorOf(await send('a', '{'))).toBe('400 invalid_argument body')
    expect((await send('a', '{}')).statusCode).toBe(202)
  })
})

const declareOtherFields = () =>
  addShape(database.pool, { companyId: seeded.company.companyId, sourceId: source.sourceId }, 2, {
    fields: [{ name: 'hour', type: 'timestamp', personal: false }],
  })

/** [push.replay]. */
describe('sent again after the declaration changed', () => {
  const table = 'at,amount\n2026-01-15,1.50\n'
  const large = table + '2026-01-15,2.50\n'.repeat(40_000)
  test.each([
    ['small', table],
    ['large', large],
  ])('a %s CSV whose fields are dropped gets the first receipt, under a new id too', async (_, body) => {
    const first = await send('a', body, csv)
    expect(first.statusCode).toBe(202)
    await declareOtherFields()
    expect(errorOf(await send('a', `${body}\n`, csv))).toBe('400 invalid_argument body')
    for (const id of ['a', 'b', 'b']) {
      const again = await send(id, body, csv)
      expect(again.body).toBe(first.body)
      expect(again.statusCode).toBe(202)
      expect(isReplay(again)).toBe(true)
    }
    await pause(new Date())
    expect((await send('a', body, csv)).body).toBe(first.body)
    expect((await send('c', body, csv)).body).toBe(first.body)
    expect(errorOf(await send('c', 'hour\n2026-01-15\n', csv))).toBe('409 key_reused')
    expect(errorOf(await send('d', 'hour\n2026-01-15\n', csv))).toBe('409 source_paused')
    expect(await storedCount()).toBe(1)
  })

  test('a body gets the first receipt under another media type, or a version that the source has not', async () => {
    const first = await send('a', table, csv)
    expect((await send('a', table)).body).toBe(first.body)
    const headers = { ...csv.headers, 'x-service-shape-version': '9' }
    expect((await send('a', table, { headers })).body).toBe(first.body)
    expect(errorOf(await send('a', `${table}\n`, { headers }))).toBe(
      '400 invalid_argument X-Service-Shape-Version',
    )
  })

  test('what another source has stored is nothing of this one', async () => {
    const other = await seedWebhookSource(context, seeded.company.companyId)
    const to = { sourceId: other.sourceId, secret: other.signingSecret }
    expect((await send('a', table, { ...csv, ...to })).statusCode).toBe(202)
    await declareOtherFields()
    expect(errorOf(await send('a', table, csv))).toBe('400 invalid_argument body')
    expect(await storedCount()).toBe(0)
  })

  test('what is refused claims no id', async () => {
    await declareOtherFields()
    expect(errorOf(await send('a', table, csv))).toBe('400 invalid_argument body')
    expect((await send('a', 'hour\n2026-01-15\n', csv)).statusCode).toBe(202)
  })
})

describe('concurrently, in two processes', () => {
  test('the same ids and bodies are one delivery each', async () => {
    const answers = await atOnce(90, (index) =>
      send(`id-${index % 3}`, `{"amount":"${index % 3}"}`, { on: either(index) }),
    )
    expect(new Set(answers.map(artifactOf)).size).toBe(3)
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(3)
    expect(await storedCount()).toBe(3)
  })

  test('one body under many ids is one delivery, and every id is its alias', async () => {
    const answers = await atOnce(60, (index) => send(`id-${index}`, '{"amount":"1"}', { on: either(index) }))
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect(await storedCount()).toBe(1)
    const others = await atOnce(60, (index) => send(`id-${index}`, `{"amount":"2"}`, { on: either(index) }))
    expect(new Set(others.map(errorOf))).toEqual(new Set(['409 key_reused']))
    expect(await storedCount()).toBe(1)
  })

  test('of many bodies under one id, one is stored', async () => {
    const answers = await atOnce(60, (index) => send('a', `{"amount":"${index}"}`, { on: either(index) }))
    const taken = answers.filter(({ statusCode }) => statusCode === 202)
    expect(taken).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(59)
    expect(await storedRows()).toMatchObject([{ artifact_id: artifactOf(taken[0]!) }])
  })

  test('ids and bodies crossed in every way: each id ends with one body, each body with one delivery', async () => {
    for (let round = 0; round < 4; round++) {
      const answers = await atOnce(100, (index) => {
        const [id, body] = [index % 10, (index * 7 + Math.floor(index / 10)) % 10]
        return send(`${round}-${id}`, `{"amount":"${round}${body}"}`, { on: either(index) })
      })
      const bodies = new Map<number, Set<string>>()
      for (const [index, answer] of answers.entries()) {
        expect([202, 409]).toContain(answer.statusCode)
        if (answer.statusCode !== 202) continue
        const id = index % 10
        bodies.set(id, (bodies.get(id) ?? new Set()).add(artifactOf(answer)))
      }
      // Every id was taken, and never for two bodies.
      expect([...bodies.values()].map((set) => set.size)).toEqual(Array.from({ length: 10 }, () => 1))
    }
    const rows = await storedRows()
    expect(new Set(rows.map((row) => row.text)).size).toBe(rows.length)
  })

  test('the same in opposite orders', async () => {
    const answers = await atOnce(160, (index) => {
      const at = index % 80
      const back = index >= 80
      const item = back ? 79 - at : at
      return send(`${back ? 'b' : 'a'}-${item}`, `{"amount":"${item}"}`, { on: back ? otherApp : app })
    })
    expect(new Set(answers.map(artifactOf)).size).toBe(80)
    expect(await storedCount()).toBe(80)
  })
})

describe('a paused source', () => {
  test('refuses what is new and stores nothing, not even the id', async () => {
    await pause(new Date())
    expect(errorOf(await send('a', '{"amount":"1"}'))).toBe('409 source_paused')
    expect(await storedCount()).toBe(0)
    await pause(null)
    expect((await send('a', '{"amount":"2"}')).statusCode).toBe(202)
  })

  test('still answers for what was stored, and remembers new ids of it', async () => {
    const first = await send('a', '{"amount":"1"}')
    await pause(new Date())
    expect((await send('a', '{"amount":"1"}')).body).toBe(first.body)
    expect(errorOf(await send('a', '{"amount":"2"}'))).toBe('409 key_reused')
    expect((await send('b', '{"amount":"1"}')).body).toBe(first.body)
    expect(errorOf(await send('b', '{"amount":"2"}'))).toBe('409 key_reused')
    expect(errorOf(await send('c', '{"amount":"2"}'))).toBe('409 source_paused')
    await pause(null)
    expect(errorOf(await send('b', '{"amount":"2"}'))).toBe('409 key_reused')
    expect((await send('c', '{"amount":"2"}')).statusCode).toBe(202)
  })

  test('does not delay other sources in the same batch', async () => {
    const other = await seedWebhookSource(context, seeded.company.companyId)
    await pause(new Date())
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(
          `a-${index}`,
          `{"amount":"${index}"}`,
          index % 2 === 0 ? {} : { sourceId: other.sourceId, secret: other.signingSecret },
        ),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(
      answers.map((_, index) => (index % 2 === 0 ? 409 : 202)),
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
    const first = source.signingSecret
    expect(await opens(first)).toBe(true)
    const second = await rotate()
    expect([await opens(first), await opens(second)]).toEqual([true, true])
    context.clock.advance(24 * hourMs - 1)
    expect([await opens(first), await opens(second)]).toEqual([true, true])
    context.clock.advance(1)
    expect([await opens(first), await opens(second)]).toEqual([false, true])
  })

  test('a second rotation within it ends the oldest immediately', async () => {
    const first = source.signingSecret
    const second = await rotate()
    const third = await rotate()
    expect([await opens(first), await opens(second), await opens(third)]).toEqual([false, true, true])
  })

  test('an ended secret verifies nothing and consumes no token, even if it was just used', async () => {
    const on = limitedApp
    const first = source.signingSecret
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

describe('a source that changed its way', () => {
  test('refuses pushes while it is a webhook source', async () => {
    expect(errorOf(await push('a', '{}'))).toBe('403 webhook_only')
  })

  test('knows its keys from both channels: what was stored is kept, and the other body gets 409', async () => {
    const webhook = await send('a', '{"amount":"1"}')
    await setChannel('push')
    expect(errorOf(await push('a', '{"amount":"1"}'))).toBe('409 key_reused')
    const pushed = await push('b', '{"amount":"2"}')
    expect(pushed.statusCode).toBe(202)

    const { signingSecret: secret } = (await setChannel('webhook')) as { signingSecret: string }
    expect(errorOf(await send('b', '{"amount":"3"}', { secret }))).toBe('409 key_reused')
    expect(errorOf(await send('b', '{"amount":"3"}', { secret }))).toBe('409 key_reused')
    expect((await send('c', '{"amount":"3"}', { secret })).statusCode).toBe(202)
    expect((await send('a', '{"amount":"1"}', { secret })).body).toBe(webhook.body)
    await pause(new Date())
    expect(errorOf(await send('b', '{"amount":"4"}', { secret }))).toBe('409 key_reused')
    expect(await storedCount()).toBe(3)
  })
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
  let url = `/v1/webhooks/${source.sourceId}?token=x`
  let payload: string | Buffer = large
  const answer = async () => errorOf(await call(on, url, 'POST', headers, Buffer.from(payload)))

  expect(await answer()).toBe('400 credential_in_url')
  url = `/v1/webhooks/${source.sourceId}`
  expect(await answer()).toBe('401 unauthenticated')
  headers['service-signature'] = 'x'
  expect(await answer()).toBe('400 invalid_argument Service-Signature')
  headers['service-signature'] = signatureHeader(t - 301, 'wrong', large)
  expect(await answer()).toBe('400 invalid_argument Service-Delivery-Id')
  headers['service-delivery-id'] = 'a'
  expect(await answer()).toBe('400 invalid_argument Service-Signature')
  headers['service-signature'] = signatureHeader(t, 'wrong', large)
  expect(await answer()).toBe('429 rate_limited')
  headers['x-forwarded-for'] = address
  expect(await answer()).toBe('413 too_large body')
  payload = body
  headers['service-signature'] = signatureHeader(t, 'wrong', body)
  expect(await answer()).toBe('415 unsupported_media_type Content-Type')
  headers['content-type'] = 'application/json'
  expect(await answer()).toBe('404 not_found')
  headers['service-signature'] = signatureHeader(t, source.signingSecret, body)
  expect(await answer()).toBe('429 rate_limited')
  context.clock.advance(5_000)
  expect(await answer()).toBe('400 invalid_argument X-Service-Shape-Version')
  delete headers['x-service-shape-version']
  expect(await answer()).toBe('400 invalid_argument body')
  headers['service-delivery-id'] = 'used'
  payload = '{}'
  headers['service-signature'] =
    `t=${t},v1=${webhookSignature(source.signingSecret, t, 'used', Buffer.from(payload))}`
  expect(await answer()).toBe('409 key_reused')
  headers['service-delivery-id'] = 'a'
  headers['service-signature'] = signatureHeader(t, source.signingSecret, payload)
  expect(await answer()).toBe('409 source_paused')
})

test('other methods are 405, other paths 404', async () => {
  const url = `/v1/webhooks/${source.sourceId}`
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const answer = await call(app, url, method, {})
    expect(answer.statusCode).toBe(405)
    expect(answer.headers['allow']).toBe('OPTIONS, POST')
  }
  for (const path of ['/v1/webhooks', `${url}/x`]) {
    expect(errorOf(await call(app, path, 'POST', {}))).toBe('404 not_found')
  }
  const preflight = await call(app, url, 'OPTIONS', { origin: 'https://a.example' })
  expect(preflight.headers).not.toHaveProperty('access-control-allow-origin')
})

test('a service under another master key answers 500, so that the sender retries', async () => {
  const strange = await open({ ...context, keys: { ...context.keys, master: strangeMasterKeys } })
  const answer = await send('a', '{}', { on: strange })
  await strange.close()
  expect(errorOf(answer)).toBe('500 internal')
})

test('neither secrets, signatures nor bodies are logged', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } })
  const loud = await open({ ...context, log })
  const t = nowSeconds()
  const signed = webhookSignature(source.signingSecret, t, 'a', Buffer.from('{"amount":"confidential"}'))
  await send('a', '{"amount":"confidential"}', { on: loud })
  await send('a', '{"amount":"confidential too"}', { on: loud })
  await send('b', '{"amount":"confidential"', { on: loud })
  await send('b', '{"amount":"confidential"}', { on: loud, secret: 'nws_wrong' })
  await loud.close()
  expect(lines.length).toBeGreaterThanOrEqual(4)
  for (const line of lines) {
    expect(line).not.toContain('confidential')
    expect(line).not.toContain(source.signingSecret)
    expect(line).not.toContain(signed)
    expect(line).not.toMatch(/v1=/)
  }
})

test('accepts and replays are counted as webhooks', async () => {
  const before = await countOf('numera_deliveries_accepted_total')
  const replaysBefore = await countOf('numera_deliveries_replayed_total')
  await send('a', '{}')
  await send('b', '{}')
  expect(await countOf('numera_deliveries_accepted_total')).toBe(before + 1)
  expect(await countOf('numera_deliveries_replayed_total')).toBe(replaysBefore + 1)
})

const signedHeaders = (id: string, body: Buffer): Record<string, string> => {
  const t = nowSeconds()
  return {
    'content-type': 'application/json',
    'service-delivery-id': id,
    'service-signature': `t=${t},v1=${webhookSignature(source.signingSecret, t, id, body)}`,
  }
}
