import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, delivery, errorOf, ingest } from '../testing/process/call.ts'
import { readSamples, waitUntilRead } from '../testing/process/numera-api.ts'
import { openRaw, type RawConnection, statusesOf } from '../testing/process/raw-connection.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { activeUsers, type Connection, openShop, revenue, type Shop } from '../testing/process/shop.ts'

const at = '2026-01-15T12:00:00+01:00'
const january = { from: '2026-01-01', to: '2026-02-01' }

let service: Service
let shop: Shop
let sourceId: string
let connection: Connection
let wellBehaved: Connection
/** How long a push of the well-behaved client took, and the tests that ran meanwhile. */
interface Push {
  ms: number
  beside: Set<string>
}
/** What the well-behaved client saw while the bad input was sent. */
const undisturbed = { pushes: [] as Push[], faults: [] as string[], artifacts: [] as string[] }
const slowMsMin = 2_000
/** What each test sent, to repeat it. */
const sent = new Map<string, (() => Promise<unknown>)[]>()
const testUnderWay = (): string => expect.getState().currentTestName ?? ''
const remember = (again: () => Promise<unknown>): void => {
  sent.set(testUnderWay(), [...(sent.get(testUnderWay()) ?? []), again])
}
const over = new AbortController()
let client: Promise<void>
/** The bad input that was accepted, as it should be. */
const accepted: string[] = []

beforeAll(async () => {
  service = await startService({
    environment: { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '1000000' },
  })
  shop = await openShop(service)
  sourceId = await shop.createSource({
    metrics: [revenue(), activeUsers()],
    fields: [
      { name: 'at', type: 'timestamp', personal: false },
      { name: 'amount', type: 'number', personal: false },
      { name: 'customer', type: 'text', personal: true },
      { name: '__proto__', type: 'text', personal: false },
    ],
  })
  connection = await shop.connect({ source_id: sourceId })
  wellBehaved = await shop.connect({ source_id: await shop.createSource({ name: 'Well-behaved' }) })

  client = (async () => {
    while (!over.signal.aborted) {
      const [startedMs, first] = [performance.now(), testUnderWay()]
      const answer = await ingest(shop.url, wellBehaved.credential, delivery([{ at, amount: '1.01' }]))
      undisturbed.pushes.push({ ms: performance.now() - startedMs, beside: new Set([first, testUnderWay()]) })
      if (answer.status === 202) undisturbed.artifacts.push(answer.body.artifact_id)
      else undisturbed.faults.push(`${answer.status} ${answer.text}`)
      await sleep(5)
    }
  })()
})
afterAll(async () => {
  over.abort()
  await client
  await service[Symbol.asyncDispose]()
})

const push = (body: string | Uint8Array) => {
  const send = () => ingest(shop.url, connection.credential, body)
  remember(send)
  return send()
}
const open = async (): Promise<RawConnection> => {
  const raw = await openRaw(shop.url)
  const parts: (string | Uint8Array)[] = []
  remember(async () => {
    using again = await openRaw(shop.url)
    for (const part of parts) again.send(part)
    await sleep(500)
  })
  return {
    ...raw,
    send: (part) => {
      parts.push(part)
      raw.send(part)
    },
  }
}
const envelope = (payload: string, key = 'bad'): string =>
  `{"idempotency_key":"${key}","shape_version":1,"payload":${payload}}`
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

const refused: [name: string, body: string | Uint8Array, field: string | undefined][] = [
  ['a body cut in the middle of a text', '{"idempotency_key":"bad","shape_ver', 'body'],
  ['a control character in a text', envelope('[{"customer":"a\u0001"}]'), 'body'],
  ['an unknown escape', envelope('[{"customer":"\\x41"}]'), 'body'],
  ['half an escape', envelope('[{"customer":"\\u12"}]'), 'body'],
  ['truncated UTF-8', bytes('{"idempotency_key":"', [0xc3], '","shape_version":1,"payload":[]}'), 'body'],
  ['overlong UTF-8', bytes(envelope('[{"customer":"').slice(0, -1), [0xc0, 0xaf], '"}]}'), 'body'],
  [
    'a surrogate in UTF-8',
    bytes(envelope('[{"customer":"').slice(0, -1), [0xed, 0xa0, 0x80], '"}]}'),
    'body',
  ],
  ['lists in lists, a hundred thousand deep', envelope('['.repeat(100_000) + ']'.repeat(100_000)), undefined],
  ['lists that never close', envelope('['.repeat(1_000_000)), undefined],
  [
    'objects in objects, a hundred thousand deep',
    envelope(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    undefined,
  ],
  ['a key of the envelope twice', `{"idempotency_key":"a",${envelope('[]').slice(1)}`, 'body'],
  ['the payload twice', `{"payload":[],${envelope('[]').slice(1)}`, 'body'],
  ['NUL in the key', envelope('[]', 'a\\u0000b'), 'idempotency_key'],
  ['a lone surrogate in the key', envelope('[]', 'a\\udc00b'), 'idempotency_key'],
  ['two surrogates the wrong way round in the key', envelope('[]', '\\udc00\\ud800'), 'idempotency_key'],
  ['201 characters of key outside the first plane', envelope('[]', '😀'.repeat(201)), 'idempotency_key'],
]

describe('A body is refused, and its field named, that', () => {
  test.each(refused)('has %s', async (_name, body, field) => {
    const answer = await push(body)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_argument')
    if (field !== undefined) expect(answer.body.field).toBe(field)
  })

  test('is one byte over 8,388,608; exactly as many are accepted', async () => {
    const frame = envelope('[{"customer":""}]', 'exactly')
    const exactly = frame.replace('""}]', `"${'x'.repeat(8_388_608 - frame.length)}"}]`)
    expect(exactly).toHaveLength(8_388_608)
    expect(errorOf(await push(exactly.replace('"x', '"xx').replace('exactly', 'toomuch')))).toMatchObject({
      status: 413,
      code: 'invalid_argument',
    })
    const answer = await push(exactly)
    expect(answer.status).toBe(202)
    accepted.push(answer.body.artifact_id)
    // Its text is longer than 10,000 characters, and it has no event time.
    expect(await waitUntilRead(shop.url, connection.credential, answer.body.artifact_id)).toMatchObject({
      rows_accepted: 0,
      rows_refused: 1,
    })
  })
})

describe('A body is accepted', () => {
  test.each([
    ['200 characters of key', envelope('[]', 'x'.repeat(200))],
    ['200 characters of key outside the first plane', envelope('[]', '😀'.repeat(200))],
    ['a key called __proto__', envelope('[]', '__proto__')],
    ['undeclared members of the envelope', envelope('[]', 'extra').replace('{', '{"constructor":{"a":[1]},')],
  ])('with %s', async (_name, body) => {
    const answer = await push(body)
    expect(answer.status).toBe(202)
    accepted.push(answer.body.artifact_id)
  })

  test('without the rows that cannot be stored', async () => {
    const rows = [
      `{"at":"${at}","amount":"1","customer":"a\\u0000"}`,
      `{"at":"${at}","amount":"2","customer":"\\ud800"}`,
      `{"at":"${at}","amount":"4","customer":["a"]}`,
      `{"at":"${at}","amount":"8","customer":"😀"}`,
      `{"at":"${at}","amount":"16","__proto__":"polluted","customer":"__proto__"}`,
      `{"at":"${at}","amount":"32","customer":"${'y'.repeat(10_001)}"}`,
      `{"at":"${at}","amount":null,"customer":null}`,
    ]
    const answer = await push(envelope(`[${rows.join(',')}]`, 'rows'))
    expect(answer.status).toBe(202)
    expect(answer.body.dropped_keys).toEqual([])
    accepted.push(answer.body.artifact_id)
    expect(await waitUntilRead(shop.url, connection.credential, answer.body.artifact_id)).toMatchObject({
      rows_accepted: 3,
      rows_refused: 4,
    })
    const { samples } = await readSamples(shop.url, connection.credential, january)
    expect(samples.map(({ metric, value }) => [metric, value])).toEqual([
      ['active_users', '2'],
      ['revenue', '24'],
    ])
  })

  test('without undeclared keys, even those that every object has', async () => {
    const answer = await push(
      envelope('[{"constructor":"x","toString":"x","hasOwnProperty":"x","":"x"}]', 'names'),
    )
    expect(answer.body.dropped_keys).toEqual(['', 'constructor', 'hasOwnProperty', 'toString'])
    accepted.push(answer.body.artifact_id)
  })
})

/** The head of a push, for a body of `length` bytes. */
const head = (length: number | string, extra = ''): string =>
  `POST /v1/ingest HTTP/1.1\r\nHost: numera\r\nAuthorization: Bearer ${connection.credential}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n${extra}\r\n`
/** The artifact of a receipt. */
const toArtifact = (text: string): string =>
  JSON.parse(text.slice(text.indexOf('{'), text.indexOf('}') + 1)).artifact_id

describe('A connection', () => {
  test('that sends its body byte by byte is answered', async () => {
    using raw = await open()
    const body = envelope('[]', 'drops')
    raw.send(head(body.length))
    for (const character of body) {
      raw.send(character)
      await sleep(5)
    }
    const text = await raw.untilAnswers(1)
    expect(statusesOf(text)).toEqual([202])
    accepted.push(toArtifact(text))
  })

  test('whose body is longer than its Content-Length delivers the first part, and is closed', async () => {
    using raw = await open()
    const body = envelope('[]', 'longer')
    raw.send(`${head(body.length)}${body}, and more`)
    const text = await raw.untilClosed()
    expect(statusesOf(text)).toEqual([202])
    accepted.push(toArtifact(text))
  })

  test('whose Content-Length cuts the body gets 400', async () => {
    using raw = await open()
    const body = envelope('[]', 'cut')
    raw.send(head(body.length - 1) + body)
    const text = await raw.untilClosed()
    expect(statusesOf(text)).toEqual([400])
  })

  test('that ends before its Content-Length stores nothing', async () => {
    using raw = await open()
    const body = envelope('[]', 'shorter')
    raw.send(head(body.length + 10) + body)
    await sleep(50)
    raw.socket.end()
    expect(statusesOf(await raw.untilClosed())).not.toContain(202)
  })

  test('that closes in the middle of its body stores nothing', async () => {
    for (const size of [10, 100_000, 4_000_000]) {
      const raw = await open()
      raw.send(head(8_000_000) + envelope(`[{"customer":"${'x'.repeat(size)}`, 'hang-up').slice(0, -1))
      await sleep(20)
      raw.socket.destroy()
    }
  })

  test('that sends garbage after a valid request gets the answer to the request, and is closed', async () => {
    using raw = await open()
    const body = envelope('[]', 'pipelined')
    raw.send(`${head(body.length)}${body}\x16\x03\x01\x02\x00 garbage\r\n\r\n`)
    const text = await raw.untilClosed()
    expect(statusesOf(text)).toEqual([202])
    accepted.push(toArtifact(text))
  })

  test.each([
    ['two lengths', () => head(2, 'Content-Length: 3\r\n') + '{}'],
    ['a length and chunks', () => head(2, 'Transfer-Encoding: chunked\r\n') + '{}'],
    ['a length in words', () => head('two') + '{}'],
    ['a negative length', () => head(-1) + '{}'],
    [
      'a chunk without a size',
      () => head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked') + 'zz\r\n{}\r\n',
    ],
    ['a header line without a name', () => head(2, ': x\r\n') + '{}'],
    ['NUL in a header', () => head(2, 'X-Note: a\0b\r\n') + '{}'],
    ['TLS on this port', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['another protocol', () => 'EHLO numera\r\n'],
  ])('that sends %s gets 400 and is closed', async (_name, bad) => {
    using raw = await open()
    raw.send(bad())
    expect(statusesOf(await raw.untilClosed())).toEqual([400])
  })

  test('that sends endless headers gets 431 and is closed', async () => {
    using raw = await open()
    raw.send(`GET /v1/samples HTTP/1.1\r\nHost: numera\r\nX-Long: ${'x'.repeat(100_000)}`)
    expect(statusesOf(await raw.untilClosed())).toEqual([431])
  })

  test('that announces too large a body is refused before it sends it', async () => {
    using raw = await open()
    raw.send(head(8_388_609, 'Connection: close\r\n'))
    const text = await raw.untilAnswers(1)
    expect(statusesOf(text)).toEqual([413])
  })
})

test('Malformed queries and addresses are answered', async () => {
  for (const [path, status] of [
    ['/v1/%zz', 400],
    ['/v1/samples?from=%ff', 400],
    ['/v1/samples?from=2026-01-01%00', 400],
    ['/v1/deliveries/%00', 404],
    ['/v1/samples/trace?metric=revenue&period_start=2026-01-15&label.=x', 400],
    [`/v1/samples?${'a=b&'.repeat(2_000)}`, 400],
    ['/v1/samples?metric=%00', 400],
    ['/v1/samples?label.__proto__=x', 400],
  ] as const) {
    const send = () => call(`${shop.url}${path}`, { credential: connection.credential })
    remember(send)
    const answer = await send()
    expect([path, answer.status]).toEqual([path, status])
    expect(answer.body).toBeDefined()
  }
})

test('Afterwards only accepted bodies are stored, and the well-behaved client was not disturbed', async () => {
  const { pushes } = undisturbed
  const slow = pushes.filter(({ ms }) => ms >= slowMsMin)
  // One slow answer may be a pause of the machine; then repeating the requests is quick.
  expect(slow.slice(1)).toEqual([])
  const before = pushes.length
  for (const name of slow.flatMap(({ beside }) => [...beside])) {
    for (const again of sent.get(name) ?? []) await again()
  }
  await expect.poll(() => pushes.length).toBeGreaterThan(before + 1)
  expect(pushes.slice(before).filter(({ ms }) => ms >= slowMsMin)).toEqual([])
  over.abort()
  await client
  const stored: string[] = []
  let cursor = ''
  do {
    const { body } = await shop.browser.get(
      `${shop.pages}/deliveries?source=${sourceId}&limit=200${cursor && `&cursor=${cursor}`}`,
    )
    stored.push(...body.deliveries.map((entry: { artifact_id: string }) => entry.artifact_id))
    cursor = body.next_cursor ?? ''
  } while (cursor !== '')
  expect(stored.toSorted()).toEqual(accepted.toSorted())

  expect(undisturbed.faults).toEqual([])
  expect(pushes.length).toBeGreaterThan(50)
  const inOrder = pushes.map(({ ms }) => ms).toSorted((a, b) => a - b)
  expect(inOrder[Math.floor(inOrder.length / 2)]).toBeLessThan(250)
  for (const artifact of undisturbed.artifacts)
    await waitUntilRead(shop.url, wellBehaved.credential, artifact)
  const { samples } = await readSamples(shop.url, wellBehaved.credential, january)
  const hundredths = 101 * undisturbed.artifacts.length
  expect(Number(samples[0]!.value) * 100).toBeCloseTo(hundredths, 6)
  expect(service.process().exitCode).toBeNull()
})
