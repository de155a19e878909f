import { describe, expect, test } from 'vitest'
import {
  csv,
  isReplay,
  startWebhookScene,
  toArtifactId,
  toErrorText,
  type WebhookSend,
} from '../../../../testing/in-process/scenes/webhook-scene.ts'
import type { App } from '../../../platform/http/contract.ts'
import { seedWebhookSource } from '../../../../testing/in-process/seed.ts'
import { webhookSignature } from './signature.ts'

const hooks = await startWebhookScene()
const { context, app, otherApp, limitedApp, toUrl, newAddress, nowSeconds, send } = hooks
const { storedRows, storedCount, pause } = hooks

/** Calls take the two processes in turn. */
const either = (index: number): App => (index % 2 === 0 ? app : otherApp)
const sendMany = (count: number, run: (index: number) => ReturnType<typeof send>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

describe('a signed delivery', () => {
  test('may be large, in either format', async () => {
    const rows = JSON.stringify(Array.from({ length: 9_000 }, () => ({ amount: '1', note: 'Frida' })))
    const table = `at,note\n${'2026-01-15,Frida\n'.repeat(20_000)}`
    expect((await send('a', rows)).json().dropped_keys).toEqual(['note'])
    expect((await send('b', table, csv)).json().dropped_keys).toEqual(['note'])
    const again = await send('b', table, csv)
    expect(isReplay(again)).toBe(true)
    expect((await storedRows()).map(({ text }) => text.length)).toEqual([9_000 * 15 + 1, 3 + 20_000 * 11])
  })
})

describe('failed attempts of a client network', () => {
  const wrong = { secret: 'nws_wrong' }

  const fail = (times: number, options: WebhookSend = {}) =>
    Promise.all(Array.from({ length: times }, () => send('a', '{}', { ...wrong, ...options })))

  test('lock no one out for longer when the clock is set back an hour', async () => {
    await fail(121)
    context.clock.advance(-3_600_000)
    const refused = await send('a', '{}')
    expect(toErrorText(refused)).toBe('429 rate_limited')
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

describe('size', () => {
  const exact = Buffer.from(`[${' '.repeat(8_388_606)}]`)
  const more = Buffer.from(`[${' '.repeat(8_388_607)}]`)

  test('8,388,608 bytes pass, one more is 413', async () => {
    expect((await send('a', exact)).statusCode).toBe(202)
    expect(toErrorText(await send('b', more))).toBe('413 too_large body')
    expect(await storedCount()).toBe(1)
  })

  test('is noticed while reading, where no length is announced', async () => {
    const answer = await fetch(`${toUrl(app)}/v1/webhooks/${hooks.source.sourceId}`, {
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
})

describe('concurrently, in two processes', () => {
  test('the same ids and bodies are one delivery each', async () => {
    const answers = await sendMany(90, (index) =>
      send(`id-${index % 3}`, `{"amount":"${index % 3}"}`, { on: either(index) }),
    )
    expect(new Set(answers.map(toArtifactId)).size).toBe(3)
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(3)
    expect(await storedCount()).toBe(3)
  })

  test('of many bodies under one id, one is stored', async () => {
    const answers = await sendMany(60, (index) => send('a', `{"amount":"${index}"}`, { on: either(index) }))
    const taken = answers.filter(({ statusCode }) => statusCode === 202)
    expect(taken).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(59)
    expect(await storedRows()).toMatchObject([{ artifact_id: toArtifactId(taken[0]!) }])
  })

  test('ids and bodies crossed in every way: each id ends with one body, each body with one delivery', async () => {
    for (let round = 0; round < 4; round++) {
      const answers = await sendMany(100, (index) => {
        const [id, body] = [index % 10, (index * 7 + Math.floor(index / 10)) % 10]
        return send(`${round}-${id}`, `{"amount":"${round}${body}"}`, { on: either(index) })
      })
      const bodies = new Map<number, Set<string>>()
      for (const [index, answer] of answers.entries()) {
        expect([202, 409]).toContain(answer.statusCode)
        if (answer.statusCode !== 202) continue
        const id = index % 10
        bodies.set(id, (bodies.get(id) ?? new Set()).add(toArtifactId(answer)))
      }
      // Every id was taken, and never for two bodies.
      expect([...bodies.values()].map((set) => set.size)).toEqual(Array.from({ length: 10 }, () => 1))
    }
    const rows = await storedRows()
    expect(new Set(rows.map((row) => row.text)).size).toBe(rows.length)
  })

  test('the same in opposite orders', async () => {
    const answers = await sendMany(160, (index) => {
      const at = index % 80
      const back = index >= 80
      const item = back ? 79 - at : at
      return send(`${back ? 'b' : 'a'}-${item}`, `{"amount":"${item}"}`, { on: back ? otherApp : app })
    })
    expect(new Set(answers.map(toArtifactId)).size).toBe(80)
    expect(await storedCount()).toBe(80)
  })
})

describe('a paused source', () => {
  test('does not delay other sources in the same batch', async () => {
    const other = await seedWebhookSource(context, hooks.seeded.company.companyId)
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

const signedHeaders = (id: string, body: Buffer): Record<string, string> => {
  const t = nowSeconds()
  return {
    'content-type': 'application/json',
    'service-delivery-id': id,
    'service-signature': `t=${t},v1=${webhookSignature(hooks.source.signingSecret, t, id, body)}`,
  }
}
