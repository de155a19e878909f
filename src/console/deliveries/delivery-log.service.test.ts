import { type Aggregation, aggregationNames } from '../../engine/aggregations/aggregations.ts'
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery, type StoreOptions } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { saveSourceAsOperator } from '../../../testing/in-process/save-source.ts'
import { seedScene } from '../../../testing/in-process/scene.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { changedDeliveriesMax } from './live/find-changes.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
let seeded: SeededCompany
let companyId: string
let sourceId: string
let owner: ConsoleClient
let company: string
beforeEach(async () => {
  const { source, ...of } = await seedScene(context, { source: {} })
  seeded = of
  companyId = of.company.companyId
  sourceId = source.sourceId
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${companyId}`
})

const store = async (
  rows: object[] | Buffer,
  { source = sourceId, ...options }: StoreOptions & { source?: string } = {},
): Promise<string> =>
  (await storeDelivery(database.pool, { companyId, sourceId: source }, rows, options)).artifactId

const deliver = async (
  rows: object[] | Buffer,
  options: StoreOptions & { source?: string } = {},
): Promise<string> => {
  const artifactId = await store(rows, options)
  await worker.drain()
  return artifactId
}

const good = { at: '2026-01-14T12:00:00Z', amount: '1' }
const bad = { at: '2026-01-14T12:00:00Z', amount: 'secret' }
const unreadable = Buffer.from('[{"at":')

const list = async (query = '', by = owner) => (await by.get(`${company}/deliveries${query}`)).body
const ids = async (query = ''): Promise<string[]> =>
  (await list(query)).deliveries.map((each: { artifact_id: string }) => each.artifact_id)
const count = async (query = ''): Promise<number> => (await list(query)).count.deliveries

/** The stream of events, over the wire, with the data of each change. */
const watch = async (by: ConsoleClient, signal: AbortSignal) => {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}${company}/deliveries/events`, {
    headers: {
      accept: 'text/event-stream',
      cookie: [...by.cookies].map((pair) => pair.join('=')).join('; '),
    },
    signal,
  })
  const changes: {
    etag: string
    since: string | null
    deliveries: object[] | null
    refused_calls: boolean
  }[] = []
  const over = (async () => {
    const decoder = new TextDecoder()
    for await (const part of answer.body!) {
      const text = decoder.decode(part as Uint8Array, { stream: true })
      changes.push(
        ...[...text.matchAll(/^event: change\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data!)),
      )
    }
  })().catch(() => {})
  return { answer, changes, over }
}

describe('the list', () => {
  test('every source’s deliveries are there, the latest first, with how each came and what became of it', async () => {
    const other = await seedSource(context, companyId, { name: 'Other' })
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
      source_id: sourceId,
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
    const { credential, connectionId } = await seedConnection(context, seeded)
    const pushed = await app.inject({
      method: 'POST',
      url: `/v1/ingest?source_id=${sourceId}`,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      payload: { idempotency_key: 'order-1', shape_version: 1, payload: [{ ...good, note: 'x' }] },
    })
    expect(pushed.statusCode).toBe(202)
    expect((await list()).deliveries).toMatchObject([
      { key: 'order-1', connection: { connection_id: connectionId, name: 'Connector' }, channel: 'push' },
    ])
  })

  test('each filter selects its deliveries and counts them', async () => {
    const other = await seedSource(context, companyId, { name: 'Other' })
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
      [`state=queued&source=${sourceId}&sandbox=true&channel=push`, [queued]],
      ['channel=webhook', [refused]],
      ['channel=push', [queued, broken, tested, parsed]],
      [`channel=webhook&source=${sourceId}`, []],
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

  test('pages have no gaps or repeats under any filter', async () => {
    const other = await seedSource(context, companyId, { name: 'Other' })
    const all: string[] = []
    for (let number = 0; number < 11; number++) {
      const rows = number % 3 === 0 ? [bad] : [good]
      const source = number % 2 === 0 ? sourceId : other.sourceId
      all.unshift(await store(rows, { sandbox: number % 4 === 0, source }))
    }
    expect(await walk('&state=queued')).toEqual(all)
    await worker.drain()
    expect(await walk('')).toEqual(all)
    expect(await walk('&state=parsed')).toEqual(all)
    expect(await walk('&channel=push&from=2026-01-01')).toEqual(all)
    // Every key is its delivery's id.
    expect(await walk('&search=0')).toEqual(all)
    expect(await walk('&search=0&state=parsed&sandbox=false')).toEqual(
      all.filter((_, place) => (10 - place) % 4 !== 0),
    )
    expect(await walk('&state=refused')).toEqual(all.filter((_, place) => (10 - place) % 3 === 0))
    expect(await walk('&sandbox=true&state=parsed')).toEqual(all.filter((_, place) => (10 - place) % 4 === 0))
    expect(await walk(`&source=${other.sourceId}`)).toEqual(all.filter((_, place) => (10 - place) % 2 === 1))
  })

  test('what no filter can be is 400 with its field', async () => {
    for (const [query, field] of [
      ['from=yesterday', 'from'],
      ['from=2026-03-01T12:00:00', 'from'],
      ['to=2026-02-30', 'to'],
      ['from=2026-03-02&to=2026-03-02', 'from'],
      ['search=a%00b', 'search'],
      [`search=${'x'.repeat(201)}`, 'search'],
      ['search=', 'search'],
      ['state=paused', 'state'],
      ['channel=fax', 'channel'],
      ['sandbox=1', 'sandbox'],
      ['source=shop', 'source'],
      ['cursor=xyz', 'cursor'],
      ['limit=201', 'limit'],
      ['limit=0', 'limit'],
    ]) {
      expect([query, await owner.get(`${company}/deliveries?${query}`)]).toMatchObject([
        query,
        { status: 400, body: { field } },
      ])
    }
  })

  test('with its tag the answer is empty until a delivery is received or parsed', async () => {
    const path = `${company}/deliveries?limit=10`
    const ask = (etag: unknown) =>
      owner.send('GET', path, undefined, etag === undefined ? {} : { 'if-none-match': String(etag) })
    const first = await ask(undefined)
    expect(first.status).toBe(200)
    expect(await ask(first.headers['etag'])).toMatchObject({ status: 304, body: undefined })

    const seen = [first.headers['etag']]
    const becomes = async (state: string | undefined) => {
      await expect
        .poll(async () => {
          const answer = await ask(seen.at(-1))
          if (answer.status === 200) seen.push(answer.headers['etag'])
          return answer.body?.deliveries[0]?.state
        })
        .toBe(state)
      expect((await ask(seen.at(-1))).status).toBe(304)
    }
    await store([good])
    await becomes('queued')
    await worker.drain()
    await becomes('parsed')
    // Of another company: nothing that this one would have to hear of.
    const elsewhere = await seedScene(context, { source: {} })
    const ofElsewhere = { companyId: elsewhere.company.companyId, sourceId: elsewhere.source.sourceId }
    await storeDelivery(database.pool, ofElsewhere, [good])
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await ask(seen.at(-1))).status).toBe(304)
    expect(new Set(seen).size).toBe(3)
  })
})

describe('the stream of events', () => {
  type Listed = { artifact_id: string }

  test('a page is sent the list’s tag, and within two seconds each delivery that is received or parsed', async () => {
    await store([good])
    await worker.drain()
    const over = new AbortController()
    const stream = await watch(owner, over.signal)
    expect(stream.answer.status).toBe(200)
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream')
    const current = async () => {
      const { headers, body } = await owner.get(`${company}/deliveries`)
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
      (stream.changes.flatMap(({ deliveries }) => deliveries ?? []) as Listed[]).map((each) => [
        each.artifact_id,
        each,
      ]),
    )
    expect(new Set(changed.keys())).toEqual(new Set(received))
    for (const artifactId of received) {
      expect(changed.get(artifactId)).toEqual(
        parsed.listed.find((each: Listed) => each.artifact_id === artifactId),
      )
    }
    expect(stream.changes.slice(1).map(({ since }) => since)).toEqual(
      stream.changes.slice(0, -1).map((each) => each.etag),
    )
    over.abort()
    await stream.over
  })

  test('of more deliveries than an event carries, and of a new projection, a page reads its lists', async () => {
    const over = new AbortController()
    const stream = await watch(owner, over.signal)
    await expect.poll(() => stream.changes.length).toBe(1)
    for (let number = 0; number <= changedDeliveriesMax; number++) await store([good])
    await worker.drain()
    const { headers } = await owner.get(`${company}/deliveries`)
    await expect.poll(() => stream.changes.at(-1)?.etag, { timeout: 8_000 }).toBe(headers['etag'])
    expect(stream.changes.some(({ deliveries }) => deliveries === null)).toBe(true)
    const count = stream.changes.length
    await database.pool.query('update sources set projection_id = projection_id + 1')
    await expect.poll(() => stream.changes[count], { timeout: 4_000 }).toMatchObject({ deliveries: null })
    over.abort()
    await stream.over
  }, 30_000)

  test('it ends when the session does', async () => {
    const stream = await watch(owner, AbortSignal.timeout(30_000))
    await expect.poll(() => stream.changes.length).toBeGreaterThan(0)
    await database.pool.query('delete from sessions')
    await stream.over
    expect((await owner.get(`${company}/deliveries`)).status).toBe(401)
  }, 30_000)

  test('it ends when the session was unused for an hour, and does not count as use', async () => {
    const stream = await watch(owner, AbortSignal.timeout(30_000))
    await expect.poll(() => stream.changes.length).toBeGreaterThan(0)
    context.clock.advance(3_600_000)
    await stream.over
    expect((await owner.get(`${company}/deliveries`)).status).toBe(401)
  }, 30_000)

  test('it ends within seconds when the role is taken away, and another member’s stays open', async () => {
    const developer = await seedMember(context, companyId)
    const stream = await watch(await signInConsole(app, context, developer), AbortSignal.timeout(30_000))
    const over = new AbortController()
    const other = await watch(owner, over.signal)
    await expect.poll(() => stream.changes.length + other.changes.length).toBe(2)
    const { status } = await owner.patch(`${company}/members/${developer.memberId}`, { role: 'reader' })
    expect(status).toBe(200)
    let hasEnded = false
    void stream.over.then(() => (hasEnded = true))
    await expect.poll(() => hasEnded, { timeout: 8_000 }).toBe(true)
    await store([good])
    await expect.poll(() => other.changes.length, { timeout: 4_000 }).toBe(2)
    expect(stream.changes).toHaveLength(1)
    over.abort()
    await other.over
  }, 30_000)

  test('it is for developers of the company, and needs its media type in Accept', async () => {
    const reader = await signInConsole(app, context, await seedMember(context, companyId, { role: 'reader' }))
    const stranger = await signInConsole(app, context, (await seedCompany(context)).owner)
    const signal = AbortSignal.timeout(10_000)
    expect((await watch(reader, signal)).answer.status).toBe(403)
    expect((await watch(stranger, signal)).answer.status).toBe(404)
    expect(await owner.get(`${company}/deliveries/events`)).toMatchObject({
      status: 400,
      body: { field: 'Accept' },
    })
  })

  test('a service that stops ends it', async () => {
    const other = await buildApp(context)
    const url = await other.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${url}${company}/deliveries/events`, {
      headers: {
        accept: 'text/event-stream',
        cookie: [...owner.cookies].map((pair) => pair.join('=')).join('; '),
      },
    })
    const text = answer.text()
    await other.close()
    expect(await text).toContain('event: change')
  })
})

test('the page begins with what the last delivery of each source had refused, or read from a date alone', async () => {
  await seedSource(context, companyId, { name: 'Quiet' })
  await deliver([good])
  const last = await deliver([
    { at: '2026-01-14', amount: '1' },
    { at: '2026-01-14T12:00:00', amount: '1' },
    bad,
  ])
  const { body } = await owner.get(`${company}/last-deliveries`)
  expect(body.deliveries).toMatchObject([
    {
      artifact_id: last,
      source_id: sourceId,
      state: 'parsed',
      rows_accepted: 1,
      rows_refused: 2,
      rows_date_alone: 1,
    },
  ])
  expect((await owner.get(`${company}/last-deliveries?sandbox=true`)).body.deliveries).toEqual([])
})

/** Of the first row: country and customer. */
const lastTwoValues = async (artifactId: string) =>
  (await owner.get(`${company}/deliveries/${artifactId}/rows`)).body.rows[0].values.slice(2)

/** All pages of a list, two at a time; the first one says how many there are. */
const walk = async (filter: string): Promise<string[]> => {
  const found: string[] = []
  const counts: unknown[] = []
  for (let cursor = ''; ;) {
    const page = await list(`?limit=2${filter}${cursor}`)
    found.push(...page.deliveries.map((each: { artifact_id: string }) => each.artifact_id))
    counts.push(page.count)
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  expect(counts).toEqual([{ deliveries: found.length, more: false }, ...counts.slice(1).map(() => null)])
  return found
}

describe('one delivery', () => {
  test('it is shown with its hash, its refusals and its neighbours, without values', async () => {
    const rows = [
      { at: '2026-01-14', amount: '1', customer: 'anna@example.com' },
      { at: '2026-01-14T12:00:00', amount: '1', customer: 'anna@example.com' },
      bad,
    ]
    const older = await deliver([good])
    await deliver([good], { sandbox: true })
    const artifactId = await deliver(rows)
    const newer = await deliver([good])
    const { body } = await owner.get(`${company}/deliveries/${artifactId}`)
    expect(body).toMatchObject({
      sha256: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
      dropped_keys: [],
      parsed_at: new Date(context.clock.now()).toISOString(),
      older_artifact_id: older,
      newer_artifact_id: newer,
      refusals: [
        { row: 2, field: 'at', code: 'timestamp_no_offset' },
        { row: 3, field: 'amount', code: 'number_malformed' },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/secret|anna/)
    const queued = await store([good])
    expect((await owner.get(`${company}/deliveries/${queued}`)).body).toMatchObject({
      state: 'queued',
      parsed_at: null,
      refusals: [],
      older_artifact_id: newer,
      newer_artifact_id: null,
    })
  })

  test('a refused row of a document is shown with its line', async () => {
    const rows = Buffer.from('at,amount\n2026-01-14,1\n\n2026-01-14,secret\n')
    const artifactId = await deliver(rows, { format: 'csv' })
    const shown = await owner.get(`${company}/deliveries/${artifactId}`)
    expect(shown.body.refusals).toMatchObject([
      { row: 2, line: 4, field: 'amount', code: 'number_malformed' },
    ])
  })

  test('its rows are shown as they are kept, refused ones in their places, personal fields masked', async () => {
    const rows = [
      { ...good, customer: 'anna@example.com', country: 'SE' },
      { ...bad, customer: 'eva@example.com' },
      { at: '2026-01-14', amount: 7, country: null },
    ]
    const artifactId = await deliver(rows, { compressed: true })
    const { body } = await owner.get(`${company}/deliveries/${artifactId}/rows`)
    expect(body).toEqual({
      fields: [
        { name: 'at', type: 'timestamp', personal: false },
        { name: 'amount', type: 'number', personal: false },
        { name: 'country', type: 'text', personal: false },
        { name: 'customer', type: 'text', personal: true },
      ],
      rows: [
        {
          row: 1,
          line: null,
          values: [{ text: good.at }, { text: '1' }, { text: 'SE' }, { masked: true }],
          cells: null,
          refusal: null,
        },
        {
          row: 2,
          line: null,
          values: [{ text: bad.at }, { text: 'secret' }, null, { masked: true }],
          cells: null,
          refusal: {
            field: 'amount',
            code: 'number_malformed',
            reason: 'The value is not a number such as 1249.50, without comma, separators or unit.',
          },
        },
        {
          row: 3,
          line: null,
          values: [{ text: '2026-01-14' }, { text: '7' }, null, null],
          cells: null,
          refusal: null,
        },
      ],
      refusals_known_to: null,
      broken: null,
      next_cursor: null,
    })
    const refused = await owner.get(`${company}/deliveries/${artifactId}/rows?refused=true`)
    expect(refused.body.rows.map((each: { row: number }) => each.row)).toEqual([2])
  })

  test('a field is masked if it is personal now, or was at receipt', async () => {
    const before = await deliver([{ ...good, country: 'Anna', customer: 'Eva' }])
    const fields = testFields.map((field) => ({ ...field, personal: field.name === 'country' }))
    const declaration = { fields, event_time: 'at', metrics: [testMetric()], delivers: 'events' as const }
    await saveSourceAsOperator(context, { companyId, sourceId }, { declaration })
    const after = await deliver([{ ...good, country: 'Anna', customer: 'Eva' }], { shapeVersion: 2 })
    expect(await lastTwoValues(before)).toEqual([{ masked: true }, { masked: true }])
    expect(await lastTwoValues(after)).toEqual([{ masked: true }, { text: 'Eva' }])
  })

  test('a field that is now personal under another case of its name is masked, and so are objects that contain it', async () => {
    const artifactId = await deliver([{ ...good, country: 'Anna', amount: { customer: 'Eva' } }])
    const fields = testFields.map((field) =>
      field.name === 'country' ? { ...field, name: 'Country', personal: true } : field,
    )
    const declaration = { fields, event_time: 'at', metrics: [testMetric()], delivers: 'events' as const }
    await saveSourceAsOperator(context, { companyId, sourceId }, { declaration })
    const { body } = await owner.get(`${company}/deliveries/${artifactId}/rows`)
    expect(body.fields[2]).toMatchObject({ name: 'country', personal: true })
    expect(body.rows[0].values.slice(1, 3)).toEqual([{ masked: true }, { masked: true }])
    expect(JSON.stringify(body)).not.toMatch(/Anna|Eva/)
  })

  test('more than 100 refused rows: the answer gives the row up to which refusals are known', async () => {
    const artifactId = await deliver([good, ...Array.from({ length: 120 }, () => bad), good])
    const page = async (query: string) =>
      (await owner.get(`${company}/deliveries/${artifactId}/rows?${query}`)).body
    const first = await page('limit=200')
    expect(first.refusals_known_to).toBe(101)
    expect(first.rows).toHaveLength(122)
    expect(first.rows[100].refusal).not.toBeNull()
    expect(first.rows[101].refusal).toBeNull()
    const some = await page('limit=60&refused=true')
    const rest = await page(`limit=60&refused=true&cursor=${some.next_cursor}`)
    expect([some.rows.length, rest.rows.length, rest.next_cursor]).toEqual([60, 40, null])
    expect(rest.rows.at(-1).row).toBe(101)
  })

  test('broken content is shown as far as it can be read', async () => {
    const artifactId = await deliver(
      Buffer.from('[{"at":"2026-01-14","customer":"anna"},{"amount":"1","cust'),
    )
    const { body } = await owner.get(`${company}/deliveries/${artifactId}/rows`)
    expect(body.rows).toMatchObject([
      { row: 1, values: [{ text: '2026-01-14' }, null, null, { masked: true }] },
    ])
    expect(body.broken).toMatchObject({ row: 2 })
    expect((await owner.get(`${company}/deliveries/${artifactId}/samples`)).body).toEqual({
      samples: [],
      count: 0,
      next_cursor: null,
    })
  })

  test('a delivery of 8 MiB is shown a page at a time', async () => {
    const rows = Array.from({ length: 100_000 }, (_, number) => ({
      at: '2026-01-14T12:00:00Z',
      amount: String(number),
      customer: 'anna@example.com',
    }))
    const artifactId = await store(rows, { compressed: true })
    const first = await owner.get(`${company}/deliveries/${artifactId}/rows?limit=200`)
    expect(first.body.rows).toHaveLength(200)
    const cursor = Buffer.from('99990').toString('base64url')
    const last = await owner.get(`${company}/deliveries/${artifactId}/rows?limit=200&cursor=${cursor}`)
    expect(last.body.rows.map((each: { row: number }) => each.row)).toEqual(
      Array.from({ length: 10 }, (_, place) => 99_991 + place),
    )
    expect(JSON.stringify([first.body, last.body])).not.toContain('anna')
  })
})

const changes = async (artifactId: string, query = '') =>
  (await owner.get(`${company}/deliveries/${artifactId}/samples${query}`)).body
const sold = (country: string, amount: string, at = '2026-01-14T12:00:00Z') => ({ at, amount, country })
const visit = (customer: string) => ({ at: '2026-01-14T12:00:00Z', customer })

describe('the samples that a delivery changed', () => {
  test('each has its value before, the delivery’s contribution, and its value after', async () => {
    const other = await seedSource(context, companyId, { metrics: [testMetric({ group_by: ['country'] })] })
    const source = other.sourceId
    await deliver([sold('SE', '22898.50')], { source })
    const artifactId = await deliver(
      [sold('SE', '18000'), sold('SE', '420'), sold('NO', '0.10'), sold('FI', '3', '2026-01-15T12:00:00Z')],
      { source },
    )
    await deliver([sold('SE', '1')], { source })
    const sample = { metric: 'revenue', period: 'day', added: null, superseded: false }
    const expected = [
      {
        ...sample,
        period_start: '2026-01-15',
        labels: { country: 'FI' },
        before: null,
        gave: '3',
        rows: 1,
        after: '3',
      },
      {
        ...sample,
        period_start: '2026-01-14',
        labels: { country: 'NO' },
        before: null,
        gave: '0.1',
        rows: 1,
        after: '0.1',
      },
      {
        ...sample,
        period_start: '2026-01-14',
        labels: { country: 'SE' },
        before: '22898.5',
        gave: '18420',
        rows: 2,
        after: '41318.5',
      },
    ]
    expect(await changes(artifactId)).toEqual({ samples: expected, count: 3, next_cursor: null })
    const first = await changes(artifactId, '?limit=2')
    expect(first).toMatchObject({ samples: expected.slice(0, 2), count: 3 })
    expect(await changes(artifactId, `?limit=2&cursor=${first.next_cursor}`)).toEqual({
      samples: expected.slice(2),
      count: 3,
      next_cursor: null,
    })
  })

  const ofFiveThenThree: Record<Aggregation, [before: string, gave: string, after: string]> = {
    sum: ['5', '3', '8'],
    count: ['1', '1', '2'],
    count_distinct: ['1', '1', '2'],
    min: ['5', '3', '3'],
    max: ['5', '3', '5'],
    last: ['5', '3', '5'],
  }
  test.each(aggregationNames)(
    'of a %s they show what it was, what the delivery gave and what it became',
    async (aggregation) => {
      const metrics = [testMetric({ aggregation })]
      const [before, gave, after] = ofFiveThenThree[aggregation]
      const { sourceId: source } = await seedSource(context, companyId, { metrics })
      // The later event time comes first.
      await deliver([{ at: '2026-01-14T13:00:00Z', amount: '5' }], { source })
      const artifactId = await deliver([{ at: '2026-01-14T12:00:00Z', amount: '3' }], { source })
      expect((await changes(artifactId)).samples).toMatchObject([{ before, gave, after }])
    },
  )

  test('of a distinct count it is said how many values are new, never which', async () => {
    const metrics = [testMetric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer' })]
    const { sourceId: source } = await seedSource(context, companyId, { metrics })
    await deliver([visit('anna'), visit('eva')], { source })
    const artifactId = await deliver([visit('eva'), visit('britt')], { source })
    const { samples } = await changes(artifactId)
    expect(samples).toMatchObject([{ before: '2', gave: '2', added: 1, after: '3', rows: 2 }])
    expect(JSON.stringify(samples)).not.toMatch(/anna|eva|britt/)
  })

  test('for statements, the value before is the previous owner’s, and a later owner is marked', async () => {
    const { sourceId: source } = await seedSource(context, companyId, {
      delivers: 'statements',
      metrics: [testMetric({ group_by: ['country'] })],
    })
    await deliver([sold('SE', '10'), sold('NO', '1')], { source })
    const second = await deliver([sold('SE', '12')], { source })
    const third = await deliver([sold('NO', '2'), sold('SE', '12')], { source })
    const removed = { gave: null, rows: 0, added: null, after: null, superseded: false }
    expect(await changes(second)).toMatchObject({
      samples: [
        { labels: { country: 'SE' }, before: '10', gave: '12', after: '12', superseded: true },
        { labels: { country: 'NO' }, before: '1', ...removed },
      ],
      count: 2,
    })
    const page = await changes(second, '?limit=1')
    expect(page.samples).toMatchObject([{ labels: { country: 'SE' } }])
    expect(await changes(second, `?limit=1&cursor=${page.next_cursor}`)).toMatchObject({
      samples: [{ labels: { country: 'NO' } }],
      count: 2,
      next_cursor: null,
    })
    expect((await changes(third)).samples).toMatchObject([
      { labels: { country: 'NO' }, before: null, gave: '2', after: '2', superseded: false },
      { labels: { country: 'SE' }, before: '12', gave: '12', after: '12', superseded: false },
    ])
  })

  test('a cursor that is far beyond them leads to an empty page', async () => {
    const { sourceId: source } = await seedSource(context, companyId, { delivers: 'statements' })
    const artifactId = await deliver([good], { source })
    const cursor = Buffer.from('9'.repeat(18)).toString('base64url')
    expect(await changes(artifactId, `?cursor=${cursor}`)).toEqual({
      samples: [],
      count: 1,
      next_cursor: null,
    })
  })

  test('none while it waits', async () => {
    expect(await changes(await store([good]))).toEqual({ samples: [], count: 0, next_cursor: null })
  })
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
  const reader = await signInConsole(app, context, await seedMember(context, companyId, { role: 'reader' }))
  for (const path of paths(company)) expect((await reader.get(path)).status, path).toBe(403)
  const developer = await signInConsole(app, context, await seedMember(context, companyId))
  for (const path of paths(company)) expect((await developer.get(path)).status, path).toBe(200)

  const elsewhere = await seedCompany(context)
  const stranger = await signInConsole(app, context, elsewhere.owner)
  for (const path of paths(company)) expect((await stranger.get(path)).status, path).toBe(404)
  const own = `/console/companies/${elsewhere.company.companyId}`
  for (const path of paths(own).slice(2, 5)) expect((await stranger.get(path)).status, path).toBe(404)
  expect((await stranger.get(`${own}/deliveries?search=${artifactId}`)).body.deliveries).toEqual([])
  expect((await stranger.get(`${own}/deliveries?source=${sourceId}`)).body.deliveries).toEqual([])
})
