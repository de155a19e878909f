import { beforeEach, describe, expect, test } from 'vitest'
import type { Source } from './source.ts'
import { earlier } from '../../../testing/in-process/earlier.ts'
import { beginProjection } from '../../engine/projections/begin-projection.ts'
import { createParseWorker } from '../../engine/parsing/worker/parse-worker.ts'
import { createProjectionMaintainer } from '../../engine/projections/maintain-projections.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { seedWebhookSource, type SeededMember } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { saveSource } from '../../../testing/process/save-source.ts'
import { firstShard } from '../../platform/database/schemas.ts'

// Hours pass between the owner's calls.
const service = await startTestService({ environment: { NUMERA_SESSION_IDLE_MINUTES: '720' } })
const { database, context, app } = service
const { worker, pool } = startTestWorker(service)

let companyId: string
let developer: SeededMember
let source: Source
let client: ConsoleClient
let reader: ConsoleClient
let sources: string
let path: string
beforeEach(async () => {
  const scene = await seedScene(context, { members: ['developer', 'reader'], source: {} })
  companyId = scene.company.companyId
  developer = scene.developer
  source = scene.source
  client = await signInConsole(app, context, developer)
  reader = await signInConsole(app, context, scene.reader)
  sources = `/console/companies/${companyId}/sources`
  path = `${sources}/${source.sourceId}`
})

const whole = {
  name: 'Shop',
  system_kind: 'web shop',
  channel: 'push',
  format: null,
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric()],
  delivers: 'events',
}
const save = (expected: number, changes: object = {}) =>
  client.put(path, { ...whole, expected_revision: expected, ...changes })
const versions = async () =>
  (await client.get(path)).body.versions.map(({ shape_version }: { shape_version: number }) => shape_version)

describe('Saving a source whole', () => {
  test('makes a version where something is declared otherwise, and none where only its settings change', async () => {
    const renamed = await save(1, { name: 'Kista store' })
    expect(renamed).toMatchObject({
      status: 200,
      body: { source: { name: 'Kista store', shape_version: 1 }, rebuilds: false },
    })
    const note = { name: 'note', type: 'text', personal: false }
    const widened = await save(renamed.body.source.revision, { name: 'Kista', fields: [...testFields, note] })
    expect(widened.body).toMatchObject({
      source: { name: 'Kista', shape_version: 2 },
      rebuilds: false,
    })
    const counted = await save(widened.body.source.revision, {
      metrics: [testMetric({ group_by: ['country'] })],
    })
    expect(counted.body).toMatchObject({ source: { shape_version: 3 }, rebuilds: true })
    expect(await versions()).toEqual([3, 2, 1])
  })

  test('saves both or neither', async () => {
    for (const wrong of [
      { name: ' ' },
      { event_time: 'amount' },
      { metrics: [testMetric(), testMetric()] },
    ]) {
      expect((await save(1, { name: 'Other', delivers: 'statements', ...wrong })).status).toBe(400)
    }
    expect((await client.get(path)).body).toMatchObject({
      source: { name: 'Shop', delivers: 'events', revision: 1 },
      versions: [{ shape_version: 1 }],
    })
  })

  test('is refused with the current source if another member has saved it since', async () => {
    const theirs = await save(1, { name: 'Theirs', metrics: [testMetric({ period: 'month' })] })
    expect(theirs.status).toBe(200)
    const { status, body } = await save(1, { name: 'Mine' })
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'conflict',
      field: 'expected_revision',
      details: {
        source: { name: 'Theirs', revision: theirs.body.source.revision, shape_version: 2 },
        version: {
          shape_version: 2,
          metrics: [{ period: 'month' }],
          saved_by: { member_id: developer.memberId },
        },
      },
    })
    expect((await save(body.details.source.revision, { name: 'Mine' })).status).toBe(200)
  })

  test('is refused even if only the name has changed since', async () => {
    await saveSource(client, path, { name: 'Theirs' })
    expect(await save(1, { name: 'Mine' })).toMatchObject({
      status: 409,
      body: { details: { source: { name: 'Theirs' }, version: { shape_version: 1 } } },
    })
    await saveSource(client, path, { metrics: [] })
    expect((await save(2)).status).toBe(409)
  })

  test('of concurrent saves one is refused', async () => {
    const answers = await Promise.all(['A', 'B'].map((name) => save(1, { name, metrics: [] })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [saved, refused] = answers.toSorted((a, b) => a.status - b.status)
    expect(refused!.body.details.source).toEqual(saved!.body.source)
    expect(refused!.body.details.version).toMatchObject({ shape_version: 2, metrics: [] })
  })

  test('as a webhook source gives it a secret, once', async () => {
    const { body } = await save(1, { channel: 'webhook' })
    expect(body.source.signing_secret).toMatch(/^nws_/)
    const again = await save(body.source.revision, { channel: 'webhook' })
    expect(again.body.source.signing_secret).toBeUndefined()
    // Nothing changed, so there is no event.
    expect(again.body.source.revision).toBe(body.source.revision)
  })
})

test('A paused source shows every member who paused it and why, until it is resumed', async () => {
  expect((await client.post(`${path}/pause`, { reason: '  moving to a new SDK ' })).status).toBe(204)
  await client.post(`${path}/pause`, { reason: 'another' })
  const [listed] = (await reader.get(sources)).body.sources
  expect(listed).toMatchObject({
    state: 'paused',
    paused_by: { member_id: developer.memberId, name: 'Test Testsson' },
    pause_reason: 'moving to a new SDK',
  })
  expect((await client.post(`${path}/resume`)).status).toBe(204)
  expect((await reader.get(sources)).body.sources[0]).toMatchObject({
    state: 'active',
    paused_at: null,
    paused_by: null,
    pause_reason: null,
  })
  await client.post(`${path}/pause`)
  expect((await client.get(path)).body.source).toMatchObject({ state: 'paused', pause_reason: null })
})

test('A reason that is too long or hides its letters is refused, and nothing is paused', async () => {
  for (const reason of ['x'.repeat(201), '\u202eevil', 'a\u0000b', 1]) {
    expect(await client.post(`${path}/pause`, { reason })).toMatchObject({
      status: 400,
      body: { field: 'reason' },
    })
  }
  expect((await client.get(path)).body.source.state).toBe('active')
  expect((await client.post(`${path}/pause`, { reason: 'å'.repeat(200) })).status).toBe(204)
})

test('The previous signing secret can be ended immediately', async () => {
  const { sourceId } = await seedWebhookSource(context, companyId)
  const webhook = `${sources}/${sourceId}`
  await client.post(`${webhook}/rotate-signing-secret`)
  const { body } = await client.get(webhook)
  expect(body.signing_secrets).toHaveLength(2)
  expect(body.signing_secrets.map(({ ends_at }: { ends_at: string | null }) => ends_at === null)).toEqual([
    true,
    false,
  ])
  for (let times = 0; times < 2; times++) {
    expect((await client.post(`${webhook}/end-previous-signing-secret`)).status).toBe(204)
    const after = (await client.get(webhook)).body
    expect(after.signing_secrets).toMatchObject([{ ends_at: null }])
    expect(after.source.previous_signing_secret_ends_at).toBeNull()
  }
  expect((await client.get(path)).body.signing_secrets).toEqual([])
})

const store = (receivedAt: string, rows: object[] = [], sandbox = false) =>
  storeDelivery(database.pool, { companyId, sourceId: source.sourceId }, rows, { receivedAt, sandbox })
const activity = async () => (await client.get(sources)).body.sources[0].activity
const ago = (seconds: number) => new Date(context.clock.now() - seconds * 1_000).toISOString()

/** How many are done of the rebuild, and how long the rest takes. */
const left = async () => {
  const { done, seconds_left } = (await activity()).rebuild
  return [done, seconds_left]
}
const beginRebuild = () =>
  inTransaction(database.pool, (on) =>
    beginProjection(
      { shard: firstShard },
      on,
      companyId,
      source.sourceId,
      1,
      'building',
      context.clock.now(),
    ),
  )
const newMaintainer = () => {
  const log = { info: () => {}, error: () => {} }
  return createProjectionMaintainer({ pool: database.pool, shard: firstShard, clock: context.clock, log })
}

describe('How a source is doing', () => {
  test('is for developers, not for readers', async () => {
    expect(await activity()).toEqual({
      last_delivery: null,
      freshness: { last_received_at: null, usual_seconds: null, late: false },
      rebuild: null,
    })
    expect((await reader.get(sources)).body.sources[0].activity).toBeNull()
    expect((await client.get(path)).body).toMatchObject({
      activity: { last_delivery: null },
      stored: { deliveries: 0, content_bytes: 0, more: false },
    })
  })

  test('shows the last delivery in production, or a test delivery while there is none', async () => {
    await store(ago(60), [{ at: '2026-01-01', amount: '1' }], true)
    expect((await activity()).last_delivery).toMatchObject({
      sandbox: true,
      state: 'queued',
      rows_refused: null,
    })
    const { artifactId } = await store(ago(30), [{ at: '2026-01-01', amount: '1' }, { amount: '1' }])
    await store(ago(10), [], true)
    await worker.drain()
    expect((await activity()).last_delivery).toEqual({
      artifact_id: artifactId,
      idempotency_key: artifactId,
      received_at: expect.any(String),
      sandbox: false,
      state: 'parsed',
      rows_accepted: 1,
      rows_refused: 1,
      rows_date_alone: 1,
    })
    expect((await client.get(path)).body.stored).toMatchObject({ deliveries: 3, more: false })
  })

  test('is late by its own rhythm, after three times the usual, and not while it is paused', async () => {
    // Every hour, with one pause of a day: the median is an hour.
    for (const hours of [30, 29, 28, 4, 3]) await store(ago(hours * 3_600))
    expect((await activity()).freshness).toMatchObject({ usual_seconds: 3_600, late: false })
    await database.pool.query(
      `update deliveries set received_at = ${earlier('received_at', '$2')} where source_id = $1`,
      [source.sourceId, 120_000],
    )
    expect((await activity()).freshness).toMatchObject({ usual_seconds: 3_600, late: true })
    await client.post(`${path}/pause`)
    expect((await activity()).freshness.late).toBe(false)
  })

  test('is not late within minutes of a burst: what comes less than a minute apart is one sending', async () => {
    // Four times, an hour apart, six within half a minute.
    for (const hour of [4, 3, 2, 1]) {
      for (const second of [25, 20, 15, 10, 5, 0]) await store(ago(hour * 3_600 + second))
    }
    expect((await activity()).freshness).toMatchObject({ usual_seconds: 3_575, late: false })
    context.clock.advance(2 * 3_600_000)
    expect((await activity()).freshness).toMatchObject({ usual_seconds: 3_575, late: true })
    // Aggregating all of the latest ones together says nothing about the next.
    for (let index = 0; index < 20; index++) await store(ago(20 - index))
    context.clock.advance(3_600_000)
    expect((await activity()).freshness).toMatchObject({ usual_seconds: null, late: false })
  })

  test('has no rhythm before the third gap between its sendings', async () => {
    for (const hours of [5, 4, 3]) await store(ago(hours * 3_600))
    expect((await activity()).freshness.usual_seconds).toBeNull()
    await store(ago(2 * 3_600))
    expect((await activity()).freshness).toMatchObject({ usual_seconds: 3_600, late: false })
  })

  test('has no rhythm below three deliveries, and test deliveries have none', async () => {
    await store(ago(1_000_000))
    await store(ago(900_000))
    await store(ago(800_000), [], true)
    expect((await activity()).freshness).toMatchObject({ usual_seconds: null, late: false })
    expect((await activity()).freshness.last_received_at).not.toBeNull()
  })

  test('tells how far a rebuild is, from its beginning to its end', async () => {
    for (let index = 0; index < 5; index++) await store(ago(100), [{ at: '2026-01-01', amount: '1' }])
    await worker.drain()
    await beginRebuild()
    expect((await activity()).rebuild).toEqual({ state: 'waiting', done: 0, total: 0, seconds_left: null })
    const maintainer = newMaintainer()
    await maintainer.step()
    expect((await activity()).rebuild).toEqual({ state: 'parsing', done: 0, total: 5, seconds_left: null })
    expect((await client.get(path)).body.activity.rebuild).toMatchObject({ total: 5 })
    await worker.drain()
    expect((await activity()).rebuild).toEqual({ state: 'parsing', done: 5, total: 5, seconds_left: 0 })
    await maintainer.step()
    expect((await activity()).rebuild).toBeNull()
  })

  test('estimates the rest of a rebuild by the pace of parsing, without the time it waited', async () => {
    for (let index = 0; index < 12; index++) await store(ago(100), [{ at: '2026-01-01', amount: '1' }])
    await worker.drain()
    await beginRebuild()
    // Deliveries received in the meantime are parsed immediately.
    await store(ago(1), [{ at: '2026-01-01', amount: '1' }])
    await worker.drain()
    // No worker was running.
    context.clock.advance(3_600_000)
    await newMaintainer().step()
    const slow = createParseWorker({
      pool,
      shard: firstShard,
      clock: context.clock,
      log: context.log,
      deliveriesMax: 2,
    })
    for (const expected of [
      [2, null],
      [4, null],
      [6, null],
    ]) {
      context.clock.advance(1_000)
      await slow.round()
      expect(await left()).toEqual(expected)
    }
    context.clock.advance(20_000)
    await slow.round()
    // Two in the last twenty seconds, and five wait: that the first ones were quicker does not count.
    expect(await left()).toEqual([8, 50])
    // No worker continues: the longer that lasts, the slower the pace.
    context.clock.advance(10_000)
    expect(await left()).toEqual([8, 75])
    // The rest failed before, and its end is unknown.
    await database.pool.query('update backlog set attempts = 1 where source_id = $1', [source.sourceId])
    expect(await left()).toEqual([8, null])
  })

  test('is read for 200 sources in one call', async () => {
    await database.pool.query(
      `insert into sources (company_id, source_id, name, system_kind, channel, shape_version, projection_id,
         distinct_salt, created_at)
       select company_id, gen_random_uuid(), 'Another', 'till', 'push', 1, 1, distinct_salt, created_at
       from sources, generate_series(1, 250) where source_id = $1`,
      [source.sourceId],
    )
    await database.pool.query(
      `insert into shapes (company_id, source_id, shape_version, fields, event_time, metrics, delivers, saved_at)
       select sources.company_id, sources.source_id, 1, shapes.fields, shapes.event_time, shapes.metrics,
         shapes.delivers, shapes.saved_at
       from sources join shapes on shapes.source_id = $1 where sources.source_id <> $1 and sources.company_id = $2`,
      [source.sourceId, companyId],
    )
    await database.pool.query(
      `insert into projections (company_id, source_id, projection_id, shape_version, state, enumerated, samples_version, created_at)
       select company_id, source_id, 1, 1, 'current', true, 0, created_at from sources
       where source_id <> $1 and company_id = $2`,
      [source.sourceId, companyId],
    )
    const { body } = await client.get(`${sources}?limit=200`)
    expect(body.sources).toHaveLength(200)
    expect(body.sources.every((each: { activity: object | null }) => each.activity !== null)).toBe(true)
    expect((await client.get(`${sources}?limit=200&cursor=${body.next_cursor}`)).body.sources).toHaveLength(
      51,
    )
  })
})
