import type { Format } from '../../formats/formats.ts'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exampleSie, inCodePage437 } from '../../../../testing/cases/example-sie.ts'
import { saveSourceAsOperator } from '../../../../testing/in-process/save-source.ts'
import type { Source } from '../../../company/sources/source.ts'
import {
  seedCompany,
  seedConnection,
  seedSource,
  type SeededCompany,
  type SeededConnection,
} from '../../../../testing/in-process/seed.ts'
import { addShape, testFields } from '../../../../testing/in-process/source.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'
import { decompressContent } from './compress.ts'
import { seedScene } from '../../../../testing/in-process/scene.ts'

const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }
const { database, context, app } = await startTestService({ environment })
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
})

let seeded: SeededCompany
let source: Source
let connection: SeededConnection
beforeEach(async () => {
  ;({ source, connection, ...seeded } = await seedScene(context, { source: {}, connection: {} }))
})

interface Push {
  key?: string | string[] | undefined
  bearer?: string | undefined
  headers?: Record<string, string | string[]>
}

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
  json: Record<string, unknown>
}

/** A header's text such that it is sent as UTF-8. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

/** Pushes over HTTP. */
const pushBytes = (payload: string | Uint8Array, options: Push = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = app.server.address() as AddressInfo
    const headers: Record<string, string | string[]> = {
      'content-type': 'application/octet-stream',
      authorization: `Bearer ${options.bearer ?? connection.credential}`,
      ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
      ...options.headers,
    }
    const sent = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/ingest',
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? asBytes(value) : value.map(asBytes),
        ]),
      ),
    })
    sent.on('error', reject).on('response', (answer) => {
      const chunks: Buffer[] = []
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const body = Buffer.concat(chunks).toString()
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            body,
            json: JSON.parse(body) as Record<string, unknown>,
          })
        })
    })
    // As bytes: with a text, the client would encode the headers like the text.
    sent.end(Buffer.from(payload))
  })
const push = (key: string, payload: string | Uint8Array, options: Omit<Push, 'key'> = {}): Promise<Answer> =>
  pushBytes(payload, { key, ...options })

const csv = 'at,amount\n2026-01-15,1.50\n'

const stored = async (key: string) => {
  const { rows } = await database.pool.query(
    'select * from deliveries where source_id = $1 and idempotency_key = $2',
    [source.sourceId, key],
  )
  expect(rows).toHaveLength(1)
  const row = rows[0]
  const content = decompressContent({ content: row.content, contentEncoding: row.content_encoding })
  return { ...row, bytes: Buffer.from(content), text: Buffer.from(content).toString() }
}
const storedCount = async (): Promise<number> => {
  const { rows } = await database.pool.query('select from deliveries where source_id = $1', [source.sourceId])
  return rows.length
}

const fieldOf = ({ status, json }: Answer) => ({ status, code: json['code'], field: json['field'] })
const invalid = (field: string) => ({ status: 400, code: 'invalid_argument', field })

const useSource = async (options: Parameters<typeof seedSource>[2]): Promise<void> => {
  source = await seedSource(context, seeded.company.companyId, options)
  connection = await seedConnection(context, { ...seeded, source })
}

describe('a document', () => {
  test('is stored as received, queued, and answered with its receipt', async () => {
    const answer = await push('night-1', `\ufeff${csv}`)
    expect(answer.status).toBe(202)
    expect(Object.entries(answer.json)).toEqual([
      ['artifact_id', expect.any(String)],
      ['shape_version', 1],
      ['status', 'queued'],
      ['sandbox', false],
      ['dropped_keys', []],
      ['delivers', 'events'],
    ])
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': '1000000',
      'ratelimit-remaining': '99999',
      'ratelimit-reset': '1',
    })
    const row = await stored('night-1')
    expect(row).toMatchObject({
      artifact_id: answer.json['artifact_id'],
      company_id: seeded.company.companyId,
      connection_id: connection.connectionId,
      format: 'csv',
      shape_version: 1,
      text: `\ufeff${csv}`,
    })
    expect(row.received_sha256).toEqual(createHash('sha256').update(`\ufeff${csv}`).digest())
    const { rows } = await database.pool.query('select from backlog where artifact_id = $1', [
      row.artifact_id,
    ])
    expect(rows).toHaveLength(1)
  })

  test.each<[Format, string, string, string[]]>([
    ['csv', 'x;at;amount\r\n1;2;3\r\n', 'at;amount\r\n2;3\r\n', ['x']],
    ['json', ' [{"at":"1","x":2}] ', '[{"at":"1"}]', ['x']],
    ['json_lines', '{"at":"1","x":2}\n{"y":1}\n', '{"at":"1"}\n{}\n', ['x', 'y']],
    [
      'sie',
      '#FLAGGA 0\r\n#VER A 1 20260115\r\n{\r\n}\r\n',
      '#FLAGGA 0\r\n#VER A 1 20260115\r\n{\r\n}\r\n',
      [],
    ],
  ])('of the format %s is found and loses what is undeclared', async (format, body, content, dropped) => {
    const answer = await push('a', body)
    expect(answer.json['dropped_keys']).toEqual(dropped)
    expect(await stored('a')).toMatchObject({ format, text: content })
  })

  test('is what its source declares', async () => {
    for (const [format, body] of [
      ['csv', '[x],at\n1,2\n'],
      ['json_lines', '{"at":"1"}'],
      ['json', '{"at":"1"}'],
      ['sie', exampleSie],
    ] as const) {
      await useSource({ format })
      const answer = await push('a', body)
      expect(answer.status).toBe(202)
      expect(await stored('a')).toMatchObject({ format: format })
      expect(fieldOf(await push('b', format === 'csv' ? exampleSie : 'at,amount\n'))).toEqual(invalid('body'))
    }
  })

  test('in code page 437 is stored whole', async () => {
    const bytes = inCodePage437(exampleSie)
    expect((await push('2026-04', bytes)).status).toBe(202)
    const row = await stored('2026-04')
    expect(row.format).toBe('sie')
    expect(Buffer.compare(row.bytes, bytes)).toBe(0)
  })

  test('of no rows is a delivery', async () => {
    for (const [key, body] of [
      ['csv', 'at,amount\n'],
      ['json', '[]'],
      ['sie', '#FLAGGA 0\n'],
    ] as const) {
      expect((await push(key, body)).status).toBe(202)
    }
  })

  test('over a sandbox connection is marked as test', async () => {
    const { credential } = await seedConnection(context, { ...seeded, source, kind: 'sandbox' })
    expect((await push('a', csv, { bearer: credential })).json).toMatchObject({ sandbox: true })
    expect(await stored('a')).toMatchObject({ sandbox: true })
  })

  test('may be mixed with JSON deliveries under any declared format', async () => {
    await useSource({ format: 'sie' })
    const body = '{"idempotency_key":"a","shape_version":1,"payload":[{"at":"2026-01-15","amount":"1"}]}'
    expect((await pushBytes(body, { headers: { 'content-type': 'application/json' } })).status).toBe(202)
    expect(await stored('a')).toMatchObject({ format: 'json' })
  })

  test('is accepted with any parameters of its media type', async () => {
    for (const [key, type] of Object.entries({
      a: 'Application/Octet-Stream',
      b: 'application/octet-stream; charset=binary',
    })) {
      expect((await push(key, csv, { headers: { 'content-type': type } })).status).toBe(202)
    }
  })
})

describe('its key', () => {
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['of 201 characters', 'é'.repeat(201)],
    ['reserved', 'service:a'],
    ['sent twice', ['a', 'a']],
  ])('%s is 400', async (_, key) => {
    expect(fieldOf(await pushBytes(csv, { key }))).toEqual(invalid('Idempotency-Key'))
    expect(await storedCount()).toBe(0)
  })

  test('that is not UTF-8 is 400', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const { port } = app.server.address() as AddressInfo
      const headers = {
        'content-type': 'application/octet-stream',
        authorization: `Bearer ${connection.credential}`,
        'idempotency-key': 'caf\xe9',
      }
      request({ port, method: 'POST', path: '/v1/ingest', headers })
        .on('error', reject)
        .on('response', (sent) => {
          sent.resume()
          resolve(sent.statusCode!)
        })
        .end(Buffer.from(csv))
    })
    expect(answer).toBe(400)
  })

  test('of 200 characters outside the first plane, and with a comma, is stored', async () => {
    for (const key of ['😀'.repeat(200), 'a, b', 'café "1"']) {
      expect((await push(key, csv)).status).toBe(202)
      expect((await stored(key)).idempotency_key).toBe(key)
    }
  })
})

describe('its shape version', () => {
  beforeEach(async () => {
    await addShape(database.pool, { companyId: seeded.company.companyId, sourceId: source.sourceId }, 2, {
      fields: [...testFields, { name: 'note', type: 'text', personal: false }],
    })
  })

  test('is the current one, or the one that is named', async () => {
    const body = 'at,note\n2026-01-15,x\n'
    expect((await push('current', body)).json).toMatchObject({ shape_version: 2, dropped_keys: [] })
    const older = await push('older', body, { headers: { 'X-Service-Shape-Version': '1' } })
    expect(older.json).toMatchObject({ shape_version: 1, dropped_keys: ['note'] })
    const large = await push('large', body + '2026-01-15,x\n'.repeat(30_000), {
      headers: { 'X-Service-Shape-Version': '1' },
    })
    expect(large.json).toMatchObject({ shape_version: 1, dropped_keys: ['note'] })
  })

  test.each([['0'], ['3'], ['-1'], ['1.0'], ['x'], [''], ['01'], ['99999999999'], [['1', '1']]])(
    '%j is 400',
    async (version) => {
      const answer = await push('a', csv, { headers: { 'X-Service-Shape-Version': version } })
      expect(fieldOf(answer)).toEqual(invalid('X-Service-Shape-Version'))
      expect(await storedCount()).toBe(0)
    },
  )
})

describe('sent again', () => {
  test('the same bytes get the first receipt, byte for byte', async () => {
    const first = await push('a', 'at,x\n1,2\n')
    const again = await push('a', 'at,x\n1,2\n')
    expect(again.status).toBe(202)
    expect(again.body).toBe(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await storedCount()).toBe(1)
  })

  test.each([
    ['at,x\n1,2\n', 'at,x\n1,3\n'],
    ['[{"at":"1"}]', ' [{"at":"1"}]'],
    ['{"at":"1","amount":"2"}', '{"amount":"2","at":"1"}'],
    ['[{"at":"1","x":1}]', '[{"x":1,"at":"1"}]'],
    ['at\n1', 'at\n1\n'],
  ])('%j and %j are two', async (body, other) => {
    expect((await push('a', body)).status).toBe(202)
    expect(fieldOf(await push('a', other))).toEqual({ status: 409, code: 'key_reused', field: undefined })
    expect(await storedCount()).toBe(1)
  })

  test('the same rows as a JSON delivery are another body', async () => {
    await push('a', '[{"at":"1"}]')
    const body = '{"idempotency_key":"a","shape_version":1,"payload":[{"at":"1"}]}'
    const answer = await pushBytes(body, { headers: { 'content-type': 'application/json' } })
    expect(answer.json['code']).toBe('key_reused')
    expect((await push('b', '[{"at":"1"}]')).status).toBe(202)
  })

  test('is known also where the JSON delivery was first', async () => {
    const body = '{"idempotency_key":"a","shape_version":1,"payload":[{"at":"1"}]}'
    await pushBytes(body, { headers: { 'content-type': 'application/json' } })
    expect((await push('a', '[{"at":"1"}]')).json['code']).toBe('key_reused')
  })

  test('a large one is compared as well', async () => {
    const body = csv + '2026-01-15,2.50\n'.repeat(40_000)
    const first = await push('a', body)
    expect(first.status).toBe(202)
    expect((await push('a', body)).body).toBe(first.body)
    expect((await push('a', body.replace('1.50', '1.51'))).json['code']).toBe('key_reused')
  })

  test('concurrently it is one delivery', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => push('a', csv)))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await storedCount()).toBe(1)
  })
})

const inCompany = ({ company: { companyId } }: SeededCompany, { sourceId }: Source) => ({
  companyId,
  sourceId,
})
const declareOtherFields = () => {
  const field = { name: 'at', type: 'timestamp' as const, personal: false }
  return addShape(database.pool, inCompany(seeded, source), 2, { fields: [{ ...field, name: 'hour' }] })
}
const setFormat = (format: Format | null) =>
  saveSourceAsOperator(context, inCompany(seeded, source), { format })
const pause = () =>
  database.pool.query('update sources set paused_at = now() where source_id = $1', [source.sourceId])

/** [push.replay]. Under the new declaration each body would be refused if it had not been stored before. */
describe('sent again after the declaration changed', () => {
  const large = csv + '2026-01-15,2.50\n'.repeat(40_000)
  const quoted = '{"at":"2026-01-15","country":"\\"x"}'
  test.each([
    ['CSV whose fields are dropped', csv, declareOtherFields],
    ['a large CSV whose fields are dropped', large, declareOtherFields],
    ['CSV where JSON is declared', csv, () => setFormat('json')],
    ['a large CSV where JSON lines are declared', large, () => setFormat('json_lines')],
    ['JSON with a quote where CSV is declared', quoted, () => setFormat('csv')],
    ['JSON lines where SIE is declared', '{"at":"2026-01-15"}\n{}', () => setFormat('sie')],
    ['SIE whose fields are dropped', inCodePage437(exampleSie), declareOtherFields],
  ] as const)('%s gets the first receipt, and a new key is refused', async (_, body, change) => {
    const first = await push('a', body)
    expect(first.status).toBe(202)
    await change()
    expect(fieldOf(await push('b', body))).toEqual(invalid('body'))
    const again = await push('a', body)
    expect(again.body).toBe(first.body)
    expect(again).toMatchObject({ status: 202, headers: { 'idempotent-replayed': 'true' } })
    expect(await storedCount()).toBe(1)

    await pause()
    expect((await push('a', body)).body).toBe(first.body)
    expect(fieldOf(await push('b', body))).toEqual(invalid('body'))
  })

  test.each([
    ['small', csv],
    ['large', large],
  ])('a %s body gets the first receipt under any version in its header', async (_, body) => {
    const first = await push('a', body)
    const headers = { 'X-Service-Shape-Version': '9' }
    expect((await push('a', body, { headers })).body).toBe(first.body)
    expect(fieldOf(await push('b', body, { headers }))).toEqual(invalid('X-Service-Shape-Version'))
  })

  test('other bytes under the key are refused for what is wrong with them, as the order of checks has it', async () => {
    await push('a', csv)
    await declareOtherFields()
    expect(fieldOf(await push('a', `${csv}\n`))).toEqual(invalid('body'))
    const readable = await push('a', 'hour\n2026-01-15\n')
    expect(fieldOf(readable)).toEqual({ status: 409, code: 'key_reused', field: undefined })
  })

  test('deliveries of another source or the sandbox do not matter', async () => {
    await push('a', csv)
    const sandbox = await seedConnection(context, { ...seeded, source, kind: 'sandbox' })
    const other = await seedCompany(context)
    const strange = await seedSource(context, other.company.companyId)
    await addShape(database.pool, inCompany(other, strange), 2, {
      fields: [{ name: 'x', type: 'timestamp', personal: false }],
    })
    const { credential } = await seedConnection(context, { ...other, source: strange })
    await declareOtherFields()
    for (const bearer of [sandbox.credential, credential]) {
      expect(fieldOf(await push('a', csv, { bearer }))).toEqual(invalid('body'))
    }
    expect((await push('a', csv)).status).toBe(202)
  })

  test('rows as JSON get it too, with the version that they name', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = '{"idempotency_key":"a","shape_version":1,"payload":[{"at":"2026-01-15","x":1}]}'
    const first = await pushBytes(body, { headers })
    await declareOtherFields()
    await pause()
    const again = await pushBytes(body, { headers })
    expect(again.body).toBe(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })
})

describe('what is refused', () => {
  test('a body that is broken as its format is 400, with the line and never a value', async () => {
    for (const [body, message] of [
      ['', 'The body is empty: send the document in it.'],
      ['at,amount\n1,"Anna', 'The CSV has a quote on line 2 that is never closed.'],
      [
        'first_name,note\nAnna,x\n',
        "The header row names no declared field: it has 'first_name', 'note'; the source declares ",
      ],
      [
        'at,amount,at\n',
        'The header row names a field twice, the second time in column 3: leave one of the two out.',
      ],
      [
        '{"at":"Anna"',
        'The JSON is malformed at byte 12 (line 1, column 13): it ends before it is complete.',
      ],
      ['{"at":"1"}\n{"at":Anna}', 'The JSON is malformed at byte 17 (line 2, column 7).'],
      [
        '#FLAGGA 0\n#VER A 1 20260115 Anna\n{\n',
        'The SIE file ends before what it began on line 2 is complete.',
      ],
    ] as const) {
      const answer = await push('a', body)
      expect(fieldOf(answer)).toEqual(invalid('body'))
      expect(answer.json['message']).toContain(message)
    }
    expect(fieldOf(await push('a', Buffer.from('at,country\n1,å', 'latin1')))).toEqual(invalid('body'))
    expect(fieldOf(await push('a', Buffer.from(csv, 'utf16le')))).toEqual(invalid('body'))
    expect(await storedCount()).toBe(0)
  })

  test('a large one that is broken is refused the same way', async () => {
    const body = csv + '2026-01-15,2.50\n'.repeat(40_000)
    const answer = await push('a', `${body}"`)
    expect(fieldOf(answer)).toEqual(invalid('body'))
    expect(answer.json['message']).toBe('The CSV has a quote on line 40003 that is never closed.')
  })

  test('a paused source refuses what is new and still replays what was stored', async () => {
    const first = await push('a', csv)
    await database.pool.query('update sources set paused_at = now() where source_id = $1', [source.sourceId])
    expect((await push('a', csv)).body).toBe(first.body)
    expect((await push('a', `${csv}\n`)).json['code']).toBe('key_reused')
    expect(fieldOf(await push('b', csv))).toEqual({ status: 409, code: 'source_paused', field: undefined })
    expect(fieldOf(await push('b', 'x'))).toEqual(invalid('body'))
  })

  test('a webhook source refuses documents', async () => {
    await useSource({ channel: 'webhook' })
    expect((await push('a', csv)).json['code']).toBe('webhook_only')
  })

  test('a Content-Encoding other than identity is 400', async () => {
    const answer = await push('a', csv, { headers: { 'content-encoding': 'gzip' } })
    expect(fieldOf(answer)).toEqual(invalid('Content-Encoding'))
  })

  test('8,388,608 bytes pass, one more is 413 before any other fault', async () => {
    const body = csv.padEnd(8_388_608, '2026-01-15,2.50\n')
    expect((await push('exact', body)).status).toBe(202)
    const answer = await pushBytes(`${body}\n`, { key: '' })
    expect(fieldOf(answer)).toEqual({ status: 413, code: 'invalid_argument', field: 'body' })
    expect(await storedCount()).toBe(1)
  })

  test('a faulty key is reported before the version, and the version before the body', async () => {
    const headers = { 'X-Service-Shape-Version': '9' }
    expect(fieldOf(await pushBytes('', { headers }))).toEqual(invalid('Idempotency-Key'))
    expect(fieldOf(await push('a', '', { headers }))).toEqual(invalid('X-Service-Shape-Version'))
  })
})

describe('a hostile document of eight megabytes is answered in a moment', () => {
  test.each([
    ['a header row of delimiters', ','.repeat(8_388_608), 400],
    ['records of delimiters', 'at,x\n'.padEnd(8_388_608, ','), 202],
    ['records to drop a column from', 'at,x\n'.padEnd(8_388_608, ',\n'), 202],
    ['quotes', 'at\n'.padEnd(8_388_608, '"'), undefined],
    ['blank lines', '{"at":"1"}\n{}'.padEnd(8_388_608, '\n'), 202],
    ['one-byte rows of JSON lines', '{}\n'.repeat(2_796_202), 202],
    ['objects of a transaction', '#FLAGGA 0\n#VER A 1 20260101\n{\n#TRANS 1 {'.padEnd(8_388_608, '1 '), 400],
  ])('%s', async (_, body, status) => {
    const started = performance.now()
    const answer = await push('a', body)
    expect(performance.now() - started).toBeLessThan(5_000)
    if (status !== undefined) expect(answer.status).toBe(status)
  })
})
