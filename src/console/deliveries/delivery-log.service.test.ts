import { describe, expect, test } from 'vitest'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedCompany, seedConnection, seedMember, seedSource } from '../../../testing/in-process/seed.ts'
import {
  goodRow as good,
  refusedRow as bad,
  startDeliveryLog,
} from '../../../testing/in-process/scenes/delivery-log-scene.ts'

const log = await startDeliveryLog()
const { database, context, app, store, deliver, list } = log

const unreadable = Buffer.from('[{"at":')

const ids = async (query = ''): Promise<string[]> =>
  (await list(query)).deliveries.map((each: { artifact_id: string }) => each.artifact_id)
const count = async (query = ''): Promise<number> => (await list(query)).count.deliveries

describe('the list', () => {
  test('every source’s deliveries are there, the latest first, with how each came and what became of it', async () => {
    const other = await seedSource(context, log.companyId, { name: 'Other' })
    const first = await deliver([good, bad], { receivedAt: '2026-03-01T12:00:00Z' })
    const second = await deliver([good], { source: other.sourceId, sandbox: true, compressed: true })
    const third = await store([good], { format: 'json' })
    const { deliveries, count: counted, searched_to, next_cursor } = await list()
    expect(deliveries.map((each: { artifact_id: string }) => each.artifact_id)).toEqual([
      third,
      second,
      first,
    ])
    expect(deliveries[2]).toEqual({
      artifact_id: first,
      source_id: log.sourceId,
      channel: 'push',
      format: 'json',
      key: first,
      // The test's own: no connection of the company.
      connection: null,
      sandbox: false,
      received_at: '2026-03-01T12:00:00.000Z',
      shape_version: 1,
      delivers: 'events',
      content_bytes: JSON.stringify([good, bad]).length,
      state: 'parsed',
      reason: null,
      rows_accepted: 1,
      rows_refused: 1,
      rows_date_alone: 0,
      missing_values: [],
      rows_far_ahead: 0,
    })
    expect(deliveries[1]).toMatchObject({ source_id: other.sourceId, sandbox: true, state: 'parsed' })
    expect(deliveries[0]).toMatchObject({ state: 'queued', rows_accepted: null, rows_refused: null })
    expect([counted, searched_to, next_cursor]).toEqual([{ deliveries: 3, more: false }, null, null])
  })

  test('a delivery over a connection of the company has its name', async () => {
    const { credential, connectionId } = await seedConnection(context, log.seeded)
    const pushed = await app.inject({
      method: 'POST',
      url: `/v1/ingest?source_id=${log.sourceId}`,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      payload: { idempotency_key: 'order-1', shape_version: 1, payload: [{ ...good, note: 'x' }] },
    })
    expect(pushed.statusCode).toBe(202)
    expect((await list()).deliveries).toMatchObject([
      { key: 'order-1', connection: { connection_id: connectionId, name: 'Connector' }, channel: 'push' },
    ])
  })

  test('each filter selects its deliveries and counts them', async () => {
    const other = await seedSource(context, log.companyId, { name: 'Other' })
    const parsed = await deliver([good], { receivedAt: '2026-03-01T22:59:59Z' })
    const refused = await deliver([bad], { receivedAt: '2026-03-01T23:00:00Z', source: other.sourceId })
    const tested = await deliver([good, bad], { receivedAt: '2026-03-02T12:00:00Z', sandbox: true })
    const broken = await deliver(unreadable, { receivedAt: '2026-03-03T12:00:00Z' })
    const queued = await store([good], { receivedAt: '2026-03-04T12:00:00Z', sandbox: true })
    await database.pool.query(
      `update deliveries set connection_id = null, idempotency_key = 'hook-1' where artifact_id = $1`,
      [refused],
    )
    const all = [queued, broken, tested, refused, parsed]
    const expected: [query: string, found: string[]][] = [
      ['', all],
      [`source=${other.sourceId}`, [refused]],
      ['state=queued', [queued]],
      ['state=parsed', [tested, refused, parsed]],
      ['state=unreadable', [broken]],
      ['state=refused', [tested, refused]],
      ['state=refused&sandbox=true', [tested]],
      [`state=queued&source=${other.sourceId}`, []],
      [`state=queued&source=${log.sourceId}&sandbox=true&channel=push`, [queued]],
      ['channel=webhook', [refused]],
      ['channel=push', [queued, broken, tested, parsed]],
      [`channel=webhook&source=${log.sourceId}`, []],
      ['sandbox=true', [queued, tested]],
      ['sandbox=false', [broken, refused, parsed]],
      // Midnight in Stockholm is 23:00 in UTC.
      ['from=2026-03-02', [queued, broken, tested, refused]],
      ['to=2026-03-02', [parsed]],
      ['from=2026-03-02&to=2026-03-03', [tested, refused]],
      ['from=2026-03-02T12:00:00Z&to=2026-03-03T13:00:00%2B01:00', [tested]],
      ['from=2026-03-02&to=2026-03-03&state=refused&channel=push', [tested]],
      ['from=2026-03-02T12:00:00.0005Z', [queued, broken]],
      ['to=2026-03-02T12:00:00.0005Z', [tested, refused, parsed]],
      ['to=2020-01-01', []],
      ['from=9999-12-31', []],
      ['search=hook-', [refused]],
      ['search=hook-&channel=push', []],
      ['search=hook-&state=refused', [refused]],
      ['search=hook-&state=queued', []],
      [`search=${tested}`, [tested]],
      [`search=${tested.toUpperCase()}`, [tested]],
      [`search=${tested}&sandbox=false`, []],
      [`search=${tested}&channel=webhook`, []],
      [`search=${tested}&to=2026-03-02`, []],
      [`search=${tested}&from=2026-03-02&state=parsed`, [tested]],
      [`search=${tested}&state=unreadable`, []],
      [`search=${tested.slice(0, 30)}`, [tested]],
      ['search=ook-1', []],
      ['search=%25', []],
    ]
    for (const [query, found] of expected) {
      expect([query, await ids(`?${query}`)]).toEqual([query, found])
      expect([query, await count(`?${query}`)]).toEqual([query, found.length])
    }
  })
})

test('the page begins with what the last delivery of each source had refused, or read from a date alone', async () => {
  await seedSource(context, log.companyId, { name: 'Quiet' })
  await deliver([good])
  const last = await deliver([
    { at: '2026-01-14', amount: '1' },
    { at: '2026-01-14T12:00:00', amount: '1' },
    bad,
  ])
  const { body } = await log.owner.get(`${log.company}/last-deliveries`)
  expect(body.deliveries).toMatchObject([
    {
      artifact_id: last,
      source_id: log.sourceId,
      state: 'parsed',
      rows_accepted: 1,
      rows_refused: 2,
      rows_date_alone: 1,
    },
  ])
  expect((await log.owner.get(`${log.company}/last-deliveries?sandbox=true`)).body.deliveries).toEqual([])
})

test('deliveries are for developers, and another company’s are not there', async () => {
  const artifactId = await deliver([good])
  const paths = (base: string) => [
    `${base}/deliveries`,
    `${base}/last-deliveries`,
    `${base}/deliveries/${artifactId}`,
    `${base}/deliveries/${artifactId}/rows`,
    `${base}/deliveries/${artifactId}/samples`,
    `${base}/refused-calls`,
  ]
  const reader = await signInConsole(
    app,
    context,
    await seedMember(context, log.companyId, { role: 'reader' }),
  )
  for (const path of paths(log.company)) expect((await reader.get(path)).status, path).toBe(403)
  const developer = await signInConsole(app, context, await seedMember(context, log.companyId))
  for (const path of paths(log.company)) expect((await developer.get(path)).status, path).toBe(200)

  const elsewhere = await seedCompany(context)
  const stranger = await signInConsole(app, context, elsewhere.owner)
  for (const path of paths(log.company)) expect((await stranger.get(path)).status, path).toBe(404)
  const own = `/console/companies/${elsewhere.company.companyId}`
  for (const path of paths(own).slice(2, 5)) expect((await stranger.get(path)).status, path).toBe(404)
  expect((await stranger.get(`${own}/deliveries?search=${artifactId}`)).body.deliveries).toEqual([])
  expect((await stranger.get(`${own}/deliveries?source=${log.sourceId}`)).body.deliveries).toEqual([])
})
