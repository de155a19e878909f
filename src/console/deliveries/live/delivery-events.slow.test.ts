import { describe, expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import { signInConsole } from '../../../../testing/in-process/console-client.ts'
import { seedMember } from '../../../../testing/in-process/seed.ts'
import {
  goodRow as good,
  startDeliveryLog,
} from '../../../../testing/in-process/scenes/delivery-log-scene.ts'
import { changedDeliveriesMax } from './find-changes.ts'

const log = await startDeliveryLog()
const { database, context, app, worker, store, watch } = log

describe('the stream of events', () => {
  test('of more deliveries than an event carries, and of a new projection, a page reads its lists', async () => {
    const over = new AbortController()
    const stream = await watch(log.owner, over.signal)
    await expect.poll(() => stream.changes.length).toBe(1)
    for (let number = 0; number <= changedDeliveriesMax; number++) await store([good])
    await worker.drain()
    const { headers } = await log.owner.get(`${log.company}/deliveries`)
    await expect.poll(() => stream.changes.at(-1)?.etag, { timeout: 8_000 }).toBe(headers['etag'])
    expect(stream.changes.some(({ deliveries }) => deliveries === null)).toBe(true)
    const count = stream.changes.length
    await database.pool.query('update sources set projection_id = projection_id + 1')
    await expect.poll(() => stream.changes[count], { timeout: 10_000 }).toMatchObject({ deliveries: null })
    over.abort()
    await stream.over
  })

  test('it ends when the session was unused for an hour, and does not count as use', async () => {
    const stream = await watch(log.owner, AbortSignal.timeout(30_000))
    await expect.poll(() => stream.changes.length).toBeGreaterThan(0)
    context.clock.advance(3_600_000)
    await stream.over
    expect((await log.owner.get(`${log.company}/deliveries`)).status).toBe(401)
  })

  test('it ends within seconds when the role is taken away, and another member’s stays open', async () => {
    const developer = await seedMember(context, log.companyId)
    const stream = await watch(await signInConsole(app, context, developer), AbortSignal.timeout(30_000))
    const over = new AbortController()
    const other = await watch(log.owner, over.signal)
    await expect.poll(() => stream.changes.length + other.changes.length).toBe(2)
    const { status } = await log.owner.patch(`${log.company}/members/${developer.memberId}`, {
      role: 'reader',
    })
    expect(status).toBe(200)
    let hasEnded = false
    void stream.over.then(() => (hasEnded = true))
    await expect.poll(() => hasEnded, { timeout: 8_000 }).toBe(true)
    await store([good])
    await expect.poll(() => other.changes.length, { timeout: 10_000 }).toBe(2)
    expect(stream.changes).toHaveLength(1)
    over.abort()
    await other.over
  })

  test('a service that stops ends it', async () => {
    const other = await buildApp(context)
    const url = await other.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${url}${log.company}/deliveries/events`, {
      headers: {
        accept: 'text/event-stream',
        cookie: [...log.owner.cookies].map((pair) => pair.join('=')).join('; '),
      },
    })
    const text = answer.text()
    await other.close()
    expect(await text).toContain('event: change')
  })
})
