import type { Format } from '../../formats/formats.ts'
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { exampleSie, inCodePage437 } from '../../../../testing/cases/example-sie.ts'
import { saveSourceAsOperator } from '../../../../testing/in-process/save-source.ts'
import type { Source } from '../../../company/sources/source.ts'
import { seedConnection, type SeededCompany } from '../../../../testing/in-process/seed.ts'
import { addShape, testFields } from '../../../../testing/in-process/source.ts'
import {
  csv,
  invalid,
  startDocumentScene,
  toFault,
} from '../../../../testing/in-process/scenes/document-scene.ts'

const scene = await startDocumentScene()
const { database, context, pushBytes, push, stored, storedCount, useSource } = scene

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
      company_id: scene.seeded.company.companyId,
      connection_id: scene.connection.connectionId,
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
      expect(toFault(await push('b', format === 'csv' ? exampleSie : 'at,amount\n'))).toEqual(invalid('body'))
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
    const { credential } = await seedConnection(context, {
      ...scene.seeded,
      source: scene.source,
      kind: 'sandbox',
    })
    expect((await push('a', csv, { bearer: credential })).json).toMatchObject({ sandbox: true })
    expect(await stored('a')).toMatchObject({ sandbox: true })
  })

  test('may be mixed with JSON deliveries under any declared format', async () => {
    await useSource({ format: 'sie' })
    const body = '{"idempotency_key":"a","shape_version":1,"payload":[{"at":"2026-01-15","amount":"1"}]}'
    expect((await pushBytes(body, { headers: { 'content-type': 'application/json' } })).status).toBe(202)
    expect(await stored('a')).toMatchObject({ format: 'json' })
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
    expect(toFault(await pushBytes(csv, { key }))).toEqual(invalid('Idempotency-Key'))
    expect(await storedCount()).toBe(0)
  })
})

describe('its shape version', () => {
  beforeEach(async () => {
    await addShape(
      database.pool,
      { companyId: scene.seeded.company.companyId, sourceId: scene.source.sourceId },
      2,
      {
        fields: [...testFields, { name: 'note', type: 'text', personal: false }],
      },
    )
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
    expect(toFault(await push('a', other))).toEqual({ status: 409, code: 'key_reused', field: undefined })
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
})

const inCompany = ({ company: { companyId } }: SeededCompany, { sourceId }: Source) => ({
  companyId,
  sourceId,
})
const declareOtherFields = () => {
  const field = { name: 'at', type: 'timestamp' as const, personal: false }
  return addShape(database.pool, inCompany(scene.seeded, scene.source), 2, {
    fields: [{ ...field, name: 'hour' }],
  })
}
const setFormat = (format: Format | null) =>
  saveSourceAsOperator(context, inCompany(scene.seeded, scene.source), { format })
const pause = () =>
  database.pool.query('update sources set paused_at = now() where source_id = $1', [scene.source.sourceId])

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
    expect(toFault(await push('b', body))).toEqual(invalid('body'))
    const again = await push('a', body)
    expect(again.body).toBe(first.body)
    expect(again).toMatchObject({ status: 202, headers: { 'idempotent-replayed': 'true' } })
    expect(await storedCount()).toBe(1)

    await pause()
    expect((await push('a', body)).body).toBe(first.body)
    expect(toFault(await push('b', body))).toEqual(invalid('body'))
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
      expect(toFault(answer)).toEqual(invalid('body'))
      expect(answer.json['message']).toContain(message)
    }
    expect(toFault(await push('a', Buffer.from('at,country\n1,å', 'latin1')))).toEqual(invalid('body'))
    expect(toFault(await push('a', Buffer.from(csv, 'utf16le')))).toEqual(invalid('body'))
    expect(await storedCount()).toBe(0)
  })

  test('a paused source refuses what is new and still replays what was stored', async () => {
    const first = await push('a', csv)
    await database.pool.query('update sources set paused_at = now() where source_id = $1', [
      scene.source.sourceId,
    ])
    expect((await push('a', csv)).body).toBe(first.body)
    expect((await push('a', `${csv}\n`)).json['code']).toBe('key_reused')
    expect(toFault(await push('b', csv))).toEqual({ status: 409, code: 'source_paused', field: undefined })
    expect(toFault(await push('b', 'x'))).toEqual(invalid('body'))
  })

  test('a webhook source refuses documents', async () => {
    await useSource({ channel: 'webhook' })
    expect((await push('a', csv)).json['code']).toBe('webhook_only')
  })

  test('a Content-Encoding other than identity is 400', async () => {
    const answer = await push('a', csv, { headers: { 'content-encoding': 'gzip' } })
    expect(toFault(answer)).toEqual(invalid('Content-Encoding'))
  })

  test('a faulty key is reported before the version, and the version before the body', async () => {
    const headers = { 'X-Service-Shape-Version': '9' }
    expect(toFault(await pushBytes('', { headers }))).toEqual(invalid('Idempotency-Key'))
    expect(toFault(await push('a', '', { headers }))).toEqual(invalid('X-Service-Shape-Version'))
  })
})
