import { createHash } from 'node:crypto'
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
      company_id: scene.seeded.company.companyId,
      connection_id: scene.connection.connectionId,
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
    expect(row.received_sha256).toEqual(createHash('sha256').update(toPushBody('order-1', payload)).digest())
  })

  test('loses undeclared keys and nothing else', async () => {
    const payload = '[{"note":"x","amount":"1", "\u{1f600}":1},{"B":2,"amount":0.10}]'
    const answer = await push('order-1', payload)
    expect(answer.json().dropped_keys).toEqual(['B', 'note', '\u{1f600}'])
    expect((await stored('order-1')).text).toBe('[{"amount":"1"},{"amount":0.10}]')
  })

  test('over a sandbox connection is marked as test', async () => {
    const { credential } = await seedConnection(context, {
      ...scene.seeded,
      source: scene.source,
      kind: 'sandbox',
    })
    expect((await push('order-1', '{}', { bearer: credential })).json()).toMatchObject({ sandbox: true })
    expect(await stored('order-1')).toMatchObject({ sandbox: true })
  })

  test('may be a list of no rows', async () => {
    expect((await push('empty', '[]')).statusCode).toBe(202)
    expect((await stored('empty')).text).toBe('[]')
  })

  test('of a statements source has that in its receipt', async () => {
    const statements = await seedSource(context, scene.seeded.company.companyId, { delivers: 'statements' })
    const { credential } = await seedConnection(context, { ...scene.seeded, source: statements })
    expect((await push('week-1', '[]', { bearer: credential })).json().delivers).toBe('statements')
  })

  test('values of any kind are accepted under declared keys', async () => {
    const payload = `{"amount":${'9'.repeat(10_000)},"at":null,"country":{"deep":[[["x"]]]},"customer":"\\u0000\\ud800"}`
    expect((await push('odd', payload)).statusCode).toBe(202)
    expect((await stored('odd')).text).toBe(payload)
  })

  test('keeps the order of receipt', async () => {
    for (const key of ['c', 'a', 'b']) await push(key, '{}')
    const { rows } = await database.pool.query(
      'select idempotency_key from deliveries where source_id = $1 order by receive_number',
      [scene.source.sourceId],
    )
    expect(rows.map((row) => row.idempotency_key)).toEqual(['c', 'a', 'b'])
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

  test('older than the current one is accepted, with what it declares', async () => {
    const older = await push('older', '{"customer":"c","sum":1}', { shapeVersion: 1 })
    expect(older.json()).toMatchObject({ shape_version: 1, dropped_keys: ['sum'] })
    const current = await push('current', '{"customer":"c","sum":1}', { shapeVersion: 2 })
    expect(current.json()).toMatchObject({ shape_version: 2, dropped_keys: ['customer'] })
  })

  test('the source has not is 400', async () => {
    for (const version of [3, 2_000_000_000]) {
      expect(toFault(await push('a', '{}', { shapeVersion: version }))).toEqual(invalid('shape_version'))
    }
    expect(await storedCount()).toBe(0)
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

  test('the envelope may be written in another order', async () => {
    const first = await push('a', '{"amount":"1"}')
    const again = await pushBytes('{"payload":{"amount":"1"},"shape_version":1,"idempotency_key":"a"}')
    expect(again.body).toBe(first.body)
  })

  test('under another shape version it is another body', async () => {
    await addShape(
      database.pool,
      { companyId: scene.seeded.company.companyId, sourceId: scene.source.sourceId },
      2,
      {},
    )
    await push('a', '{}', { shapeVersion: 1 })
    expect((await push('a', '{}', { shapeVersion: 2 })).statusCode).toBe(409)
    expect((await push('a', '{}', { shapeVersion: 1 })).headers['idempotent-replayed']).toBe('true')
  })

  test('over another connection it is the same delivery; over a sandbox one it is another', async () => {
    const first = await push('a', '{}')
    const other = await seedConnection(context, { ...scene.seeded, source: scene.source })
    expect((await push('a', '{}', { bearer: other.credential })).body).toBe(first.body)
    const { credential } = await seedConnection(context, {
      ...scene.seeded,
      source: scene.source,
      kind: 'sandbox',
    })
    const sandbox = await push('a', '{}', { bearer: credential })
    expect(sandbox.headers['idempotent-replayed']).toBeUndefined()
    expect(sandbox.json().artifact_id).not.toBe(first.json().artifact_id)
  })

  test('a key belongs to its source', async () => {
    await push('a', '{"amount":"1"}')
    const other = await seedSource(context, scene.seeded.company.companyId)
    const { credential } = await seedConnection(context, { ...scene.seeded, source: other })
    const answer = await push('a', '{"amount":"2"}', { bearer: credential })
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(answer.statusCode).toBe(202)
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
})

describe('a paused source', () => {
  test('refuses new deliveries, and accepts them once it is resumed', async () => {
    await pause(new Date())
    expect(toFault(await push('a', '{}'))).toEqual({ status: 409, code: 'source_paused', field: undefined })
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
    expect(toFault(await push('', '{}'))).toEqual(invalid('idempotency_key'))
  })
})

describe('a webhook source', () => {
  test('cannot be pushed to with any body', async () => {
    const webhook = await seedSource(context, scene.seeded.company.companyId, { channel: 'webhook' })
    const { credential } = await seedConnection(context, scene.seeded)
    const answer = await app.inject({
      method: 'POST',
      url: `/v1/ingest?source_id=${webhook.sourceId}`,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect(toFault(answer)).toEqual({ status: 403, code: 'webhook_only', field: undefined })
  })
})

describe('what is refused', () => {
  test('a Content-Encoding other than identity is 400', async () => {
    for (const encoding of ['gzip', 'identity, gzip', 'br']) {
      const answer = await pushBytes(toPushBody('a', '{}'), { headers: { 'content-encoding': encoding } })
      expect(toFault(answer)).toEqual(invalid('Content-Encoding'))
    }
    const plain = await pushBytes(toPushBody('a', '{}'), { headers: { 'content-encoding': 'identity' } })
    expect(plain.statusCode).toBe(202)
  })

  test('malformed bodies name what to fix, and nothing is stored', async () => {
    const latin1 = Buffer.from(toPushBody('a', '{"country":"é"}'), 'latin1')
    const bodies: [string | Buffer, string][] = [
      ['', 'body'],
      ['{"idempotency_key":"a"', 'body'],
      [latin1, 'body'],
      [toPushBody('a', `{"country":${'['.repeat(5_000)}${']'.repeat(5_000)}}`), 'body'],
      [toPushBody('a', '{"amount":1,"amount":2}'), 'body'],
      [toPushBody('a', '"text"'), 'payload'],
      [toPushBody('a', '[{},1]'), 'payload'],
      [toPushBody('a', 'null'), 'payload'],
      [toPushBody('', '{}'), 'idempotency_key'],
      [toPushBody('a'.repeat(201), '{}'), 'idempotency_key'],
      [toPushBody('service:a', '{}'), 'idempotency_key'],
      ['{"idempotency_key":"\\u0000","shape_version":1,"payload":{}}', 'idempotency_key'],
      ['{"idempotency_key":"\\udfff","shape_version":1,"payload":{}}', 'idempotency_key'],
      [toPushBody('a', '{}', '"1"'), 'shape_version'],
      [toPushBody('a', '{}', '1.5'), 'shape_version'],
    ]
    for (const [body, field] of bodies) expect(toFault(await pushBytes(body))).toEqual(invalid(field))
    expect(await storedCount()).toBe(0)
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
