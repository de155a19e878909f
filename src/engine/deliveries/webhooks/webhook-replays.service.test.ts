import { describe, expect, test } from 'vitest'
import {
  csv,
  isReplay,
  startWebhookScene,
  toArtifactId,
  toErrorText,
} from '../../../../testing/in-process/scenes/webhook-scene.ts'
import type { App } from '../../../platform/http/contract.ts'
import { seedConnection, seedWebhookSource } from '../../../../testing/in-process/seed.ts'
import { addShape } from '../../../../testing/in-process/source.ts'

const hooks = await startWebhookScene()
const { database, context, app, otherApp, open, call, send } = hooks
const { storedCount, pause, setChannel } = hooks

/** Calls take the two processes in turn. */
const either = (index: number): App => (index % 2 === 0 ? app : otherApp)
const sendMany = (count: number, run: (index: number) => ReturnType<typeof send>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

const push = async (key: string, payload: string) => {
  const { credential } = await seedConnection(context, { ...hooks.seeded, source: hooks.source })
  return call(
    app,
    '/v1/ingest',
    'POST',
    { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    Buffer.from(`{"idempotency_key":"${key}","shape_version":1,"payload":${payload}}`),
  )
}

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
      expect(toErrorText(await send('a', body))).toBe('409 key_reused')
    }
    expect((await send('a', '{"amount":"1"}')).body).toBe(first.body)
    expect(await storedCount()).toBe(1)
  })

  test('another id with the same body gets the first receipt and is its alias', async () => {
    const first = await send('a', '{"amount":"1"}')
    const alias = await send('b', '{"amount":"1"}')
    expect(alias.body).toBe(first.body)
    expect(isReplay(alias)).toBe(true)
    expect(toErrorText(await send('b', '{"amount":"2"}'))).toBe('409 key_reused')
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
    const other = await seedWebhookSource(context, hooks.seeded.company.companyId)
    const to = { sourceId: other.sourceId, secret: other.signingSecret }
    const second = await send('a', '{"amount":"1"}', to)
    expect(isReplay(second)).toBe(false)
    expect(toArtifactId(second)).not.toBe(toArtifactId(first))
    expect((await send('b', '{"amount":"2"}', to)).statusCode).toBe(202)
    expect((await send('b', '{"amount":"3"}')).statusCode).toBe(202)
  })

  test('a refused body leaves its id free', async () => {
    expect(toErrorText(await send('a', '{'))).toBe('400 invalid_argument body')
    expect((await send('a', '{}')).statusCode).toBe(202)
  })
})

const declareOtherFields = () =>
  addShape(database.pool, { companyId: hooks.seeded.company.companyId, sourceId: hooks.source.sourceId }, 2, {
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
    expect(toErrorText(await send('a', `${body}\n`, csv))).toBe('400 invalid_argument body')
    for (const id of ['a', 'b', 'b']) {
      const again = await send(id, body, csv)
      expect(again.body).toBe(first.body)
      expect(again.statusCode).toBe(202)
      expect(isReplay(again)).toBe(true)
    }
    await pause(new Date())
    expect((await send('a', body, csv)).body).toBe(first.body)
    expect((await send('c', body, csv)).body).toBe(first.body)
    expect(toErrorText(await send('c', 'hour\n2026-01-15\n', csv))).toBe('409 key_reused')
    expect(toErrorText(await send('d', 'hour\n2026-01-15\n', csv))).toBe('409 source_paused')
    expect(await storedCount()).toBe(1)
  })

  test('a body gets the first receipt under another media type, or a version that the source has not', async () => {
    const first = await send('a', table, csv)
    expect((await send('a', table)).body).toBe(first.body)
    const headers = { ...csv.headers, 'x-service-shape-version': '9' }
    expect((await send('a', table, { headers })).body).toBe(first.body)
    expect(toErrorText(await send('a', `${table}\n`, { headers }))).toBe(
      '400 invalid_argument X-Service-Shape-Version',
    )
  })

  test('what another source has stored is nothing of this one', async () => {
    const other = await seedWebhookSource(context, hooks.seeded.company.companyId)
    const to = { sourceId: other.sourceId, secret: other.signingSecret }
    expect((await send('a', table, { ...csv, ...to })).statusCode).toBe(202)
    await declareOtherFields()
    expect(toErrorText(await send('a', table, csv))).toBe('400 invalid_argument body')
    expect(await storedCount()).toBe(0)
  })

  test('what is refused claims no id', async () => {
    await declareOtherFields()
    expect(toErrorText(await send('a', table, csv))).toBe('400 invalid_argument body')
    expect((await send('a', 'hour\n2026-01-15\n', csv)).statusCode).toBe(202)
  })
})

describe('concurrently, in two processes', () => {
  test('one body under many ids is one delivery, and every id is its alias', async () => {
    const answers = await sendMany(60, (index) =>
      send(`id-${index}`, '{"amount":"1"}', { on: either(index) }),
    )
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect(await storedCount()).toBe(1)
    const others = await sendMany(60, (index) => send(`id-${index}`, `{"amount":"2"}`, { on: either(index) }))
    expect(new Set(others.map(toErrorText))).toEqual(new Set(['409 key_reused']))
    expect(await storedCount()).toBe(1)
  })
})

describe('a paused source', () => {
  test('refuses what is new and stores nothing, not even the id', async () => {
    await pause(new Date())
    expect(toErrorText(await send('a', '{"amount":"1"}'))).toBe('409 source_paused')
    expect(await storedCount()).toBe(0)
    await pause(null)
    expect((await send('a', '{"amount":"2"}')).statusCode).toBe(202)
  })

  test('still answers for what was stored, and remembers new ids of it', async () => {
    const first = await send('a', '{"amount":"1"}')
    await pause(new Date())
    expect((await send('a', '{"amount":"1"}')).body).toBe(first.body)
    expect(toErrorText(await send('a', '{"amount":"2"}'))).toBe('409 key_reused')
    expect((await send('b', '{"amount":"1"}')).body).toBe(first.body)
    expect(toErrorText(await send('b', '{"amount":"2"}'))).toBe('409 key_reused')
    expect(toErrorText(await send('c', '{"amount":"2"}'))).toBe('409 source_paused')
    await pause(null)
    expect(toErrorText(await send('b', '{"amount":"2"}'))).toBe('409 key_reused')
    expect((await send('c', '{"amount":"2"}')).statusCode).toBe(202)
  })
})

describe('a source that changed its way', () => {
  test('refuses pushes while it is a webhook source', async () => {
    expect(toErrorText(await push('a', '{}'))).toBe('403 webhook_only')
  })

  test('knows its keys from both channels: what was stored is kept, and the other body gets 409', async () => {
    const webhook = await send('a', '{"amount":"1"}')
    await setChannel('push')
    expect(toErrorText(await push('a', '{"amount":"1"}'))).toBe('409 key_reused')
    const pushed = await push('b', '{"amount":"2"}')
    expect(pushed.statusCode).toBe(202)

    const { signingSecret: secret } = (await setChannel('webhook')) as { signingSecret: string }
    expect(toErrorText(await send('b', '{"amount":"3"}', { secret }))).toBe('409 key_reused')
    expect(toErrorText(await send('b', '{"amount":"3"}', { secret }))).toBe('409 key_reused')
    expect((await send('c', '{"amount":"3"}', { secret })).statusCode).toBe(202)
    expect((await send('a', '{"amount":"1"}', { secret })).body).toBe(webhook.body)
    await pause(new Date())
    expect(toErrorText(await send('b', '{"amount":"4"}', { secret }))).toBe('409 key_reused')
    expect(await storedCount()).toBe(3)
  })
})
