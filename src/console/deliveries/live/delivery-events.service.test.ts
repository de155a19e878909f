import { describe, expect, test } from 'vitest'
import { signInConsole } from '../../../../testing/in-process/console-client.ts'
import { seedCompany, seedMember } from '../../../../testing/in-process/seed.ts'
import {
  goodRow as good,
  refusedRow as bad,
  startDeliveryLog,
} from '../../../../testing/in-process/scenes/delivery-log-scene.ts'

const log = await startDeliveryLog()
const { database, context, app, worker, store, watch } = log

describe('the stream of events', () => {
  test('a page is sent the list’s tag, and within two seconds each delivery that is received or parsed', async () => {
    await store([good])
    await worker.drain()
    const over = new AbortController()
    const stream = await watch(log.owner, over.signal)
    expect(stream.answer.status).toBe(200)
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream')
    const current = async () => {
      const { headers, body } = await log.owner.get(`${log.company}/deliveries`)
      return { etag: headers['etag'], listed: body.deliveries }
    }
    const { etag } = await current()
    await expect
      .poll(() => stream.changes)
      .toEqual([{ etag, since: null, deliveries: null, refused_calls: true }])
    const received = [await store([good]), await store([bad], { sandbox: true })]
    const queued = await current()
    await expect.poll(() => stream.changes.at(-1)?.etag, { timeout: 4_000 }).toBe(queued.etag)
    await worker.drain()
    const parsed = await current()
    expect(parsed.etag).not.toBe(queued.etag)
    await expect.poll(() => stream.changes.at(-1)?.etag, { timeout: 4_000 }).toBe(parsed.etag)
    expect(stream.changes.at(-1)).toMatchObject({ refused_calls: false })
    const changed = new Map(
      stream.changes.flatMap(({ deliveries }) => deliveries ?? []).map((each) => [each.artifact_id, each]),
    )
    expect(new Set(changed.keys())).toEqual(new Set(received))
    for (const artifactId of received) {
      expect(changed.get(artifactId)).toEqual(
        parsed.listed.find((each: { artifact_id: string }) => each.artifact_id === artifactId),
      )
    }
    expect(stream.changes.slice(1).map(({ since }) => since)).toEqual(
      stream.changes.slice(0, -1).map((each) => each.etag),
    )
    over.abort()
    await stream.over
  })

  test('it ends when the session does', async () => {
    const stream = await watch(log.owner, AbortSignal.timeout(30_000))
    await expect.poll(() => stream.changes.length).toBeGreaterThan(0)
    await database.pool.query('delete from sessions')
    await stream.over
    expect((await log.owner.get(`${log.company}/deliveries`)).status).toBe(401)
  })

  test('it is for developers of the company, and needs its media type in Accept', async () => {
    const reader = await signInConsole(
      app,
      context,
      await seedMember(context, log.companyId, { role: 'reader' }),
    )
    const stranger = await signInConsole(app, context, (await seedCompany(context)).owner)
    const signal = AbortSignal.timeout(10_000)
    expect((await watch(reader, signal)).answer.status).toBe(403)
    expect((await watch(stranger, signal)).answer.status).toBe(404)
    expect(await log.owner.get(`${log.company}/deliveries/events`)).toMatchObject({
      status: 400,
      body: { field: 'Accept' },
    })
  })
})
