import { beforeEach, describe, expect, test } from 'vitest'
import { seedConnection, seedSource } from '../../../../testing/in-process/seed.ts'
import { addShape } from '../../../../testing/in-process/source.ts'
import { queues } from '../../backlog/queues.ts'
import {
  invalid,
  startPushScene,
  toFault,
  toPushBody,
} from '../../../../testing/in-process/scenes/push-scene.ts'

const scene = await startPushScene()
const { database, context, app, otherApp, pushBytes, push, stored, storedCount, pause } = scene

describe('a delivery', () => {
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

  test('with a key of 200 characters outside the first plane is stored under it', async () => {
    const key = '😀'.repeat(200)
    expect((await push(key, '{}')).statusCode).toBe(202)
    expect((await stored(key)).idempotency_key).toBe(key)
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
    await addShape(
      database.pool,
      { companyId: scene.seeded.company.companyId, sourceId: scene.source.sourceId },
      2,
      {
        fields,
      },
    )
  })

  test('is found for large bodies too', async () => {
    const rows = JSON.stringify(Array.from({ length: 9_000 }, () => ({ sum: '1', customer: 'Frida' })))
    expect(rows.length).toBeGreaterThan(262_144)
    const older = await push('older', rows, { shapeVersion: 1 })
    expect(older.json()).toMatchObject({ shape_version: 1, dropped_keys: ['sum'] })
    const current = await push('current', rows, { shapeVersion: 2 })
    expect(current.json()).toMatchObject({ shape_version: 2, dropped_keys: ['customer'] })
    expect(toFault(await push('none', rows, { shapeVersion: 3 }))).toEqual(invalid('shape_version'))
  })
})

describe('sent again', () => {
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
    expect(toFault(second)).toEqual({ status: 409, code: 'key_reused', field: undefined })
    expect((await push('a', payload)).body).toBe(first.body)
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
  test('does not delay other sources in the same batch', async () => {
    await pause(new Date())
    const other = await seedSource(context, scene.seeded.company.companyId)
    const { credential } = await seedConnection(context, { ...scene.seeded, source: other })
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

describe('what is refused', () => {
  test.each([
    'text/plain',
    'text/csv',
    'application/json; charset=latin1',
    'nonsense',
    'application/jsonx',
    '',
  ])('Content-Type %j is 400', async (type) => {
    const answer = await pushBytes(toPushBody('a', '{}'), { headers: { 'content-type': type } })
    expect(toFault(answer)).toEqual(invalid('Content-Type'))
    expect(answer.headers.connection).not.toBe('close')
  })

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="UTF-8"',
    'application/json ; x=y',
  ])('Content-Type %j is taken', async (type) => {
    const answer = await pushBytes(toPushBody('a', '{}'), { headers: { 'content-type': type } })
    expect(answer.statusCode).toBe(202)
  })

  test('a large malformed body is refused the same way', async () => {
    const rows = JSON.stringify(Array.from({ length: 10_000 }, () => ({ amount: '1', customer: 'Frida' })))
    expect(toFault(await pushBytes(toPushBody('a', rows).slice(0, -10)))).toEqual(invalid('body'))
    expect(toFault(await push('', rows))).toEqual(invalid('idempotency_key'))
    expect(toFault(await push('a', rows.replace(/\}\]$/, '},7]')))).toEqual(invalid('payload'))
  })
})

const sized = (key: string, bytes: number): string => {
  const empty = toPushBody(key, '{"customer":""}')
  return toPushBody(key, `{"customer":"${'x'.repeat(bytes - empty.length)}"}`)
}

describe('size', () => {
  test('8,388,608 bytes pass, one more is 413', async () => {
    expect((await pushBytes(sized('exact', 8_388_608))).statusCode).toBe(202)
    expect((await stored('exact')).content_bytes).toBeGreaterThan(8_388_000)
    const answer = await pushBytes(sized('more', 8_388_609))
    expect(toFault(answer)).toEqual({ status: 413, code: 'invalid_argument', field: 'body' })
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
})
