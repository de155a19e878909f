import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import type { App } from '../../../platform/http/contract.ts'
import type { Source } from '../../../company/sources/source.ts'
import {
  seedConnection,
  seedSource,
  type SeededCompany,
  type SeededConnection,
} from '../../../../testing/in-process/seed.ts'
import { addShape } from '../../../../testing/in-process/source.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'
import { queues } from '../../backlog/queues.ts'
import { decompressContent } from '../intake/compress.ts'
import { seedScene } from '../../../../testing/in-process/scene.ts'

const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }
const { database, context, app } = await startTestService({ environment })
/** The same service once more, as another process would be. */
let otherApp: App
beforeAll(async () => {
  otherApp = await buildApp(createTestContext(database.pool, { environment, clock: context.clock }))
})
afterAll(async () => {
  await otherApp.close()
})

let seeded: SeededCompany
let source: Source
let connection: SeededConnection
beforeEach(async () => {
  ;({ source, connection, ...seeded } = await seedScene(context, { source: {}, connection: {} }))
})

interface Push {
  bearer?: string | undefined
  headers?: Record<string, string>
  on?: App
}

const pushBytes = (payload: string | Buffer, options: Push = {}) =>
  (options.on ?? app).inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${options.bearer ?? connection.credential}`,
      ...options.headers,
    },
    payload,
  })

const bodyOf = (key: string, payload: string, shapeVersion: string | number = 1): string =>
  `{"idempotency_key":${JSON.stringify(key)},"shape_version":${shapeVersion},"payload":${payload}}`

/** `payload` is JSON text, so that a test controls every byte. */
const push = (key: string, payload: string, options: Push & { shapeVersion?: number } = {}) =>
  pushBytes(bodyOf(key, payload, options.shapeVersion), options)

const storedCount = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: string }>(
    'select count(*) from deliveries where source_id = $1',
    [source.sourceId],
  )
  return Number(rows[0]!.count)
}

const stored = async (key: string) => {
  const { rows } = await database.pool.query(
    `select deliveries.*, backlog.projection_id, backlog.queue
    from deliveries
    left join backlog using (company_id, receive_number)
    where deliveries.source_id = $1 and idempotency_key = $2`,
    [source.sourceId, key],
  )
  expect(rows).toHaveLength(1)
  const row = rows[0]
  const content = decompressContent({ content: row.content, contentEncoding: row.content_encoding })
  return { ...row, text: Buffer.from(content).toString() }
}

const pause = (pausedAt: Date | null) =>
  database.pool.query('update sources set paused_at = $2 where source_id = $1', [source.sourceId, pausedAt])

const fieldOf = (answer: { statusCode: number; json: () => { code: string; field?: string } }) => ({
  status: answer.statusCode,
  code: answer.json().code,
  field: answer.json().field,
})
const invalid = (field: string) => ({ status: 400, code: 'invalid_argument', field })

describe('a delivery', () => {
  test('is stored as received, queued, and answered with its receipt', async () => {
    const payload = '[ {"at":"2026-01-15","amount": 1.50e+1 },\n {"amount":"-2"} ]'
    const answer = await push('order-1', payload)
    expect(answer.statusCode).toBe(202)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    const receipt = answer.json()
    expect(Object.keys(receipt)).toEqual([
      'artifact_id',
      'shape_version',
      'status',
      'sandbox',
      'dropped_keys',
      'delivers',
    ])
    expect(receipt).toMatchObject({
      shape_version: 1,
      status: 'queued',
      sandbox: false,
      dropped_keys: [],
      delivers: 'events',
    })

    const row = await stored('order-1')
    expect(row).toMatchObject({
      artifact_id: receipt.artifact_id,
      company_id: seeded.company.companyId,
      connection_id: connection.connectionId,
      sandbox: false,
      format: 'json',
      delivers: 'events',
      canonical_sha256: null,
      content_bytes: payload.length,
      received_at: new Date(context.clock.now()),
      projection_id: 0,
      queue: queues.small,
      text: payload,
    })
    expect(row.received_sha256).toEqual(createHash('sha256').update(bodyOf('order-1', payload)).digest())
  })

  test('loses undeclared keys and nothing else', async () => {
    const payload = '[{"note":"x","amount":"1", "\u{1f600}":1},{"B":2,"amount":0.10}]'
    const answer = await push('order-1', payload)
    expect(answer.json().dropped_keys).toEqual(['B', 'note', '\u{1f600}'])
    expect((await stored('order-1')).text).toBe('[{"amount":"1"},{"amount":0.10}]')
  })

  test('lists at most fifty dropped keys', async () => {
    const row = Object.fromEntries(
      Array.from({ length: 70 }, (_, index) => [`k${String(index).padStart(2, '0')}`, 1]),
    )
    const { dropped_keys: dropped } = (await push('many', JSON.stringify(row))).json()
    expect(dropped).toEqual(
      Object.keys(row)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .slice(0, 50),
    )
  })

  test('over a sandbox connection is marked as test', async () => {
    const { credential } = await seedConnection(context, { ...seeded, source, kind: 'sandbox' })
    expect((await push('order-1', '{}', { bearer: credential })).json()).toMatchObject({ sandbox: true })
    expect(await stored('order-1')).toMatchObject({ sandbox: true })
  })

  test('may be a list of no rows', async () => {
    expect((await push('empty', '[]')).statusCode).toBe(202)
    expect((await stored('empty')).text).toBe('[]')
  })

  test('of a statements source has that in its receipt', async () => {
    const statements = await seedSource(context, seeded.company.companyId, { delivers: 'statements' })
    const { credential } = await seedConnection(context, { ...seeded, source: statements })
    expect((await push('week-1', '[]', { bearer: credential })).json().delivers).toBe('statements')
  })

  test('values of any kind are accepted under declared keys', async () => {
    const payload = `{"amount":${'9'.repeat(10_000)},"at":null,"country":{"deep":[[["x"]]]},"customer":"\\u0000\\ud800"}`
    expect((await push('odd', payload)).statusCode).toBe(202)
    expect((await stored('odd')).text).toBe(payload)
  })

  test('with a key of 200 characters outside the first plane is stored under it', async () => {
    const key = '😀'.repeat(200)
    expect((await push(key, '{}')).statusCode).toBe(202)
    expect((await stored(key)).idempotency_key).toBe(key)
  })

  test('keeps the order of receipt', async () => {
    for (const key of ['c', 'a', 'b']) await push(key, '{}')
    const { rows } = await database.pool.query(
      'select idempotency_key from deliveries where source_id = $1 order by receive_number',
      [source.sourceId],
    )
    expect(rows.map((row) => row.idempotency_key)).toEqual(['c', 'a', 'b'])
  })

  test('members of the envelope that mean nothing are let pass', async () => {
    const body = '{"x":{"y":1},"idempotency_key":"a","shape_version":1,"payload":{}}'
    expect((await pushBytes(body)).statusCode).toBe(202)
  })
})

describe('a shape version', () => {
  beforeEach(async () => {
    const fields = [
      { name: 'at', type: 'timestamp' as const, personal: false },
      { name: 'amount', type: 'number' as const, personal: false },
      { name: 'sum', type: 'number' as const, personal: false },
    ]
    await addShape(database.pool, { companyId: seeded.company.companyId, sourceId: source.sourceId }, 2, {
      fields,
    })
  })

  test('older than the current one is accepted, with what it declares', async () => {
    const older = await push('older', '{"customer":"c","sum":1}', { shapeVersion: 1 })
    expect(older.json()).toMatchObject({ shape_version: 1, dropped_keys: ['sum'] })
    const current = await push('current', '{"customer":"c","sum":1}', { shapeVersion: 2 })
    expect(current.json()).toMatchObject({ shape_version: 2, dropped_keys: ['customer'] })
  })

  test('the source has not is 400', async () => {
    for (const version of [3, 2_000_000_000]) {
      expect(fieldOf(await push('a', '{}', { shapeVersion: version }))).toEqual(invalid('shape_version'))
    }
    expect(await storedCount()).toBe(0)
  })

  test('is found for large bodies too', async () => {
    const rows = JSON.stringify(Array.from({ length: 9_000 }, () => ({ sum: '1', customer: 'Frida' })))
    expect(rows.length).toBeGreaterThan(262_144)
    const older = await push('older', rows, { shapeVersion: 1 })
    expect(older.json()).toMatchObject({ shape_version: 1, dropped_keys: ['sum'] })
    const current = await push('current', rows, { shapeVersion: 2 })
    expect(current.json()).toMatchObject({ shape_version: 2, dropped_keys: ['customer'] })
    expect(fieldOf(await push('none', rows, { shapeVersion: 3 }))).toEqual(invalid('shape_version'))
  })
})

describe('sent again', () => {
  test('the same body gets the first receipt, byte for byte, and nothing is stored', async () => {
    const first = await push('a', '{"amount":"1","\\"":1,"å":2}')
    context.clock.advance(60_000)
    const again = await push('a', '{"amount":"1","\\"":1,"å":2}')
    expect(again.statusCode).toBe(202)
    expect(again.body).toBe(first.body)
    expect(again.json().dropped_keys).toEqual(['"', 'å'])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await storedCount()).toBe(1)
  })

  test.each([
    ['{"amount":"1","country":"SE"}', ' { "country" : "SE",\n"amount":"\\u0031" } '],
    ['[{"amount":1.0}]', '[ {"amount":1.0} ]'],
    ['{"amount":"1","x":{"b":1,"a":[2,3]}}', '{"x":{"a":[2,3],"b":1},"amount":"1"}'],
  ])('%s and %s are the same value', async (payload, again) => {
    const first = await push('a', payload)
    const second = await push('a', again)
    expect(second.statusCode).toBe(202)
    expect(second.body).toBe(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  test('the envelope may be written in another order', async () => {
    const first = await push('a', '{"amount":"1"}')
    const again = await pushBytes('{"payload":{"amount":"1"},"shape_version":1,"idempotency_key":"a"}')
    expect(again.body).toBe(first.body)
  })

  test.each([
    ['{"amount":"1"}', '{"amount":"2"}'],
    ['{"amount":1}', '{"amount":1.0}'],
    ['{"amount":1}', '{"amount":"1"}'],
    ['{"amount":"1"}', '[{"amount":"1"}]'],
    ['[{"amount":"1"},{}]', '[{},{"amount":"1"}]'],
    ['{"amount":"1","x":1}', '{"amount":"1","x":2}'],
    ['{"amount":"1","x":1}', '{"amount":"1"}'],
    ['{"amount":"1"}', '{"amount":"1","x":1}'],
  ])('%s and %s are two', async (payload, other) => {
    const first = await push('a', payload)
    const second = await push('a', other)
    expect(fieldOf(second)).toEqual({ status: 409, code: 'key_reused', field: undefined })
    expect((await push('a', payload)).body).toBe(first.body)
  })

  test('under another shape version it is another body', async () => {
    await addShape(database.pool, { companyId: seeded.company.companyId, sourceId: source.sourceId }, 2, {})
    await push('a', '{}', { shapeVersion: 1 })
    expect((await push('a', '{}', { shapeVersion: 2 })).statusCode).toBe(409)
    expect((await push('a', '{}', { shapeVersion: 1 })).headers['idempotent-replayed']).toBe('true')
  })

  test('over another connection it is the same delivery; over a sandbox one it is another', async () => {
    const first = await push('a', '{}')
    const other = await seedConnection(context, { ...seeded, source })
    expect((await push('a', '{}', { bearer: other.credential })).body).toBe(first.body)
    const { credential } = await seedConnection(context, { ...seeded, source, kind: 'sandbox' })
    const sandbox = await push('a', '{}', { bearer: credential })
    expect(sandbox.headers['idempotent-replayed']).toBeUndefined()
    expect(sandbox.json().artifact_id).not.toBe(first.json().artifact_id)
  })

  test('a key belongs to its source', async () => {
    await push('a', '{"amount":"1"}')
    const other = await seedSource(context, seeded.company.companyId)
    const { credential } = await seedConnection(context, { ...seeded, source: other })
    const answer = await push('a', '{"amount":"2"}', { bearer: credential })
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(answer.statusCode).toBe(202)
  })

  test('a large body is compared as well', async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => ({
      amount: String(index),
      customer: 'Frida',
    }))
    const first = await push('a', JSON.stringify(rows))
    expect(first.statusCode).toBe(202)
    expect(await stored('a')).toMatchObject({
      content_encoding: 'zstd',
      queue: queues.large,
      text: JSON.stringify(rows),
    })
    const again = await push('a', JSON.stringify(rows, null, 1))
    expect(again.body).toBe(first.body)
    rows[8_999]!.amount = 'x'
    expect((await push('a', JSON.stringify(rows))).statusCode).toBe(409)
  })
})

const all = (count: number, run: (index: number) => ReturnType<typeof push>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

describe('concurrently', () => {
  test('equal keys with equal bodies are one delivery, in two processes too', async () => {
    const answers = await all(60, (index) =>
      push(`key-${index % 3}`, `{"amount":"${index % 3}"}`, { on: index % 2 === 0 ? app : otherApp }),
    )
    expect(answers.every((answer) => answer.statusCode === 202)).toBe(true)
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(3)
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(3)
    expect(await storedCount()).toBe(3)
  })

  test('equal keys with different bodies: one is stored, the others get 409', async () => {
    const answers = await all(40, (index) =>
      push('same', `{"amount":"${index}"}`, { on: index % 2 === 0 ? app : otherApp }),
    )
    const taken = answers.filter((answer) => answer.statusCode === 202)
    expect(taken).toHaveLength(1)
    expect(answers.filter((answer) => answer.json().code === 'key_reused')).toHaveLength(39)
    expect((await stored('same')).artifact_id).toBe(taken[0]!.json().artifact_id)
  })

  test('two processes that are sent the same keys in opposite orders both answer', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await all(80, (index) => {
        const at = index % 40
        const second = index >= 40
        return push(`round-${round}-${second ? 39 - at : at}`, '{}', { on: second ? otherApp : app })
      })
      expect(answers.every((answer) => answer.statusCode === 202)).toBe(true)
    }
    expect(await storedCount()).toBe(200)
  })

  test('a refused body disturbs no other', async () => {
    const answers = await all(60, (index) =>
      index % 3 === 0
        ? pushBytes('{ broken')
        : index % 3 === 1
          ? push(`key-${index}`, '{}')
          : push('service:x', '{}'),
    )
    expect(answers.filter((answer) => answer.statusCode === 202)).toHaveLength(20)
    expect(answers.filter((answer) => answer.statusCode === 400)).toHaveLength(40)
    expect(await storedCount()).toBe(20)
  })
})

describe('a paused source', () => {
  test('refuses new deliveries, and accepts them once it is resumed', async () => {
    await pause(new Date())
    expect(fieldOf(await push('a', '{}'))).toEqual({ status: 409, code: 'source_paused', field: undefined })
    expect(await storedCount()).toBe(0)
    await pause(null)
    expect((await push('a', '{}')).statusCode).toBe(202)
  })

  test('still answers for what was stored', async () => {
    const first = await push('a', '{"amount":"1"}')
    await pause(new Date())
    expect((await push('a', '{"amount":"1"}')).body).toBe(first.body)
    expect((await push('a', '{"amount":"2"}')).json().code).toBe('key_reused')
    expect((await push('b', '{}')).json().code).toBe('source_paused')
  })

  test('is reported after every fault of the body', async () => {
    await pause(new Date())
    expect(fieldOf(await push('', '{}'))).toEqual(invalid('idempotency_key'))
  })

  test('does not delay other sources in the same batch', async () => {
    await pause(new Date())
    const other = await seedSource(context, seeded.company.companyId)
    const { credential } = await seedConnection(context, { ...seeded, source: other })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? push(`a-${index}`, '{}') : push(`a-${index}`, '{}', { bearer: credential }),
      ),
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual(
      answers.map((_, index) => (index % 2 === 0 ? 409 : 202)),
    )
  })
})

describe('a webhook source', () => {
  test('cannot be pushed to with any body', async () => {
    const webhook = await seedSource(context, seeded.company.companyId, { channel: 'webhook' })
    const { credential } = await seedConnection(context, seeded)
    const answer = await app.inject({
      method: 'POST',
      url: `/v1/ingest?source_id=${webhook.sourceId}`,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect(fieldOf(answer)).toEqual({ status: 403, code: 'webhook_only', field: undefined })
  })
})

describe('what is refused', () => {
  test.each([
    'text/plain',
    'text/csv',
    'application/json; charset=latin1',
    'nonsense',
    'application/jsonx',
    '',
  ])('Content-Type %j is 400', async (type) => {
    const answer = await pushBytes(bodyOf('a', '{}'), { headers: { 'content-type': type } })
    expect(fieldOf(answer)).toEqual(invalid('Content-Type'))
    expect(answer.headers.connection).not.toBe('close')
  })

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="UTF-8"',
    'application/json ; x=y',
  ])('Content-Type %j is taken', async (type) => {
    const answer = await pushBytes(bodyOf('a', '{}'), { headers: { 'content-type': type } })
    expect(answer.statusCode).toBe(202)
  })

  test('a Content-Encoding other than identity is 400', async () => {
    for (const encoding of ['gzip', 'identity, gzip', 'br']) {
      const answer = await pushBytes(bodyOf('a', '{}'), { headers: { 'content-encoding': encoding } })
      expect(fieldOf(answer)).toEqual(invalid('Content-Encoding'))
    }
    const plain = await pushBytes(bodyOf('a', '{}'), { headers: { 'content-encoding': 'identity' } })
    expect(plain.statusCode).toBe(202)
  })

  test('malformed bodies name what to fix, and nothing is stored', async () => {
    const latin1 = Buffer.from(bodyOf('a', '{"country":"é"}'), 'latin1')
    const bodies: [string | Buffer, string][] = [
      ['', 'body'],
      ['{"idempotency_key":"a"', 'body'],
      [latin1, 'body'],
      [bodyOf('a', `{"country":${'['.repeat(5_000)}${']'.repeat(5_000)}}`), 'body'],
      [bodyOf('a', '{"amount":1,"amount":2}'), 'body'],
      [bodyOf('a', '"text"'), 'payload'],
      [bodyOf('a', '[{},1]'), 'payload'],
      [bodyOf('a', 'null'), 'payload'],
      [bodyOf('', '{}'), 'idempotency_key'],
      [bodyOf('a'.repeat(201), '{}'), 'idempotency_key'],
      [bodyOf('service:a', '{}'), 'idempotency_key'],
      ['{"idempotency_key":"\\u0000","shape_version":1,"payload":{}}', 'idempotency_key'],
      ['{"idempotency_key":"\\udfff","shape_version":1,"payload":{}}', 'idempotency_key'],
      [bodyOf('a', '{}', '"1"'), 'shape_version'],
      [bodyOf('a', '{}', '1.5'), 'shape_version'],
    ]
    for (const [body, field] of bodies) expect(fieldOf(await pushBytes(body))).toEqual(invalid(field))
    expect(await storedCount()).toBe(0)
  })

  test('a large malformed body is refused the same way', async () => {
    const rows = JSON.stringify(Array.from({ length: 10_000 }, () => ({ amount: '1', customer: 'Frida' })))
    expect(fieldOf(await pushBytes(bodyOf('a', rows).slice(0, -10)))).toEqual(invalid('body'))
    expect(fieldOf(await push('', rows))).toEqual(invalid('idempotency_key'))
    expect(fieldOf(await push('a', rows.replace(/\}\]$/, '},7]')))).toEqual(invalid('payload'))
  })
})

const sized = (key: string, bytes: number): string => {
  const empty = bodyOf(key, '{"customer":""}')
  return bodyOf(key, `{"customer":"${'x'.repeat(bytes - empty.length)}"}`)
}

describe('size', () => {
  test('8,388,608 bytes pass, one more is 413', async () => {
    expect((await pushBytes(sized('exact', 8_388_608))).statusCode).toBe(202)
    expect((await stored('exact')).content_bytes).toBeGreaterThan(8_388_000)
    const answer = await pushBytes(sized('more', 8_388_609))
    expect(fieldOf(answer)).toEqual({ status: 413, code: 'invalid_argument', field: 'body' })
    expect(await storedCount()).toBe(1)
  })

  test('comes before the media type and the syntax', async () => {
    const answer = await pushBytes(Buffer.alloc(8_388_609, 'x'), {
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.statusCode).toBe(413)
  })

  test('a million tiny rows are one delivery', async () => {
    const payload = `[${'{},'.repeat(999_999)}{}]`
    expect((await push('many', payload)).statusCode).toBe(202)
    expect((await stored('many')).content_bytes).toBe(payload.length)
  })

  test('a million rows with a key to drop each are cut and stored', async () => {
    const payload = `[${'{"x":1},'.repeat(599_999)}{"x":1}]`
    const answer = await push('many', payload)
    expect(answer.json()).toMatchObject({ dropped_keys: ['x'] })
    expect((await stored('many')).content_bytes).toBe(600_000 * 3 + 1)
  })

  test('small bodies are answered while large ones are parsed', async () => {
    const large = Array.from({ length: 4 }, () => pushBytes(sized(randomUUID(), 8_000_000)))
    let largeDone = 0
    for (const answer of large) void answer.then(() => largeDone++)
    const slowest = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const startedMs = performance.now()
        expect((await push(`small-${index}`, '{}')).statusCode).toBe(202)
        return performance.now() - startedMs
      }),
    )
    expect(largeDone).toBeLessThan(4)
    expect(Math.max(...slowest)).toBeLessThan(1_000)
    expect((await Promise.all(large)).map((answer) => answer.statusCode)).toEqual([202, 202, 202, 202])
  })
})

const count = async (name: string): Promise<number> => {
  const { values } = await context.telemetry.registry.getSingleMetric(name)!.get()
  return values.find((value) => value.labels['channel'] === 'push')?.value ?? 0
}

test('accepts and replays are counted', async () => {
  const before = await count('numera_deliveries_accepted_total')
  const replaysBefore = await count('numera_deliveries_replayed_total')
  await push('a', '{}')
  await push('a', '{}')
  expect(await count('numera_deliveries_accepted_total')).toBe(before + 1)
  expect(await count('numera_deliveries_replayed_total')).toBe(replaysBefore + 1)
})
