import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Source } from '../../../company/sources/source.ts'
import {
  seedCompany,
  seedConnection,
  seedSource,
  type SeededCompany,
} from '../../../../testing/in-process/seed.ts'
import { addShape, testFields } from '../../../../testing/in-process/source.ts'
import {
  csv,
  invalid,
  startDocumentScene,
  toFault,
} from '../../../../testing/in-process/scenes/document-scene.ts'

const scene = await startDocumentScene()
const { database, context, app, pushBytes, push, stored, storedCount } = scene

describe('a document', () => {
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
  test('that is not UTF-8 is 400', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const { port } = app.server.address() as AddressInfo
      const headers = {
        'content-type': 'application/octet-stream',
        authorization: `Bearer ${scene.connection.credential}`,
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
    await addShape(
      database.pool,
      { companyId: scene.seeded.company.companyId, sourceId: scene.source.sourceId },
      2,
      {
        fields: [...testFields, { name: 'note', type: 'text', personal: false }],
      },
    )
  })

  test.each([['0'], ['3'], ['-1'], ['1.0'], ['x'], [''], ['01'], ['99999999999'], [['1', '1']]])(
    '%j is 400',
    async (version) => {
      const answer = await push('a', csv, { headers: { 'X-Service-Shape-Version': version } })
      expect(toFault(answer)).toEqual(invalid('X-Service-Shape-Version'))
      expect(await storedCount()).toBe(0)
    },
  )
})

describe('sent again', () => {
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
  return addShape(database.pool, inCompany(scene.seeded, scene.source), 2, {
    fields: [{ ...field, name: 'hour' }],
  })
}
const pause = () =>
  database.pool.query('update sources set paused_at = now() where source_id = $1', [scene.source.sourceId])

/** [push.replay]. Under the new declaration each body would be refused if it had not been stored before. */
describe('sent again after the declaration changed', () => {
  const large = csv + '2026-01-15,2.50\n'.repeat(40_000)

  test.each([
    ['small', csv],
    ['large', large],
  ])('a %s body gets the first receipt under any version in its header', async (_, body) => {
    const first = await push('a', body)
    const headers = { 'X-Service-Shape-Version': '9' }
    expect((await push('a', body, { headers })).body).toBe(first.body)
    expect(toFault(await push('b', body, { headers }))).toEqual(invalid('X-Service-Shape-Version'))
  })

  test('other bytes under the key are refused for what is wrong with them, as the order of checks has it', async () => {
    await push('a', csv)
    await declareOtherFields()
    expect(toFault(await push('a', `${csv}\n`))).toEqual(invalid('body'))
    const readable = await push('a', 'hour\n2026-01-15\n')
    expect(toFault(readable)).toEqual({ status: 409, code: 'key_reused', field: undefined })
  })

  test('deliveries of another source or the sandbox do not matter', async () => {
    await push('a', csv)
    const sandbox = await seedConnection(context, { ...scene.seeded, source: scene.source, kind: 'sandbox' })
    const other = await seedCompany(context)
    const strange = await seedSource(context, other.company.companyId)
    await addShape(database.pool, inCompany(other, strange), 2, {
      fields: [{ name: 'x', type: 'timestamp', personal: false }],
    })
    const { credential } = await seedConnection(context, { ...other, source: strange })
    await declareOtherFields()
    for (const bearer of [sandbox.credential, credential]) {
      expect(toFault(await push('a', csv, { bearer }))).toEqual(invalid('body'))
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
  test('a large one that is broken is refused the same way', async () => {
    const body = csv + '2026-01-15,2.50\n'.repeat(40_000)
    const answer = await push('a', `${body}"`)
    expect(toFault(answer)).toEqual(invalid('body'))
    expect(answer.json['message']).toBe('The CSV has a quote on line 40003 that is never closed.')
  })

  test('8,388,608 bytes pass, one more is 413 before any other fault', async () => {
    const body = csv.padEnd(8_388_608, '2026-01-15,2.50\n')
    expect((await push('exact', body)).status).toBe(202)
    const answer = await pushBytes(`${body}\n`, { key: '' })
    expect(toFault(answer)).toEqual({ status: 413, code: 'invalid_argument', field: 'body' })
    expect(await storedCount()).toBe(1)
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
