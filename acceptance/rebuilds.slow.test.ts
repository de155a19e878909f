import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, delivery, ingest } from '../testing/process/call.ts'
import { pushDocument, readSamples, waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { activeUsers, openShop, revenue, type Shop, type SourceOptions } from '../testing/process/shop.ts'
import { saveSource } from '../testing/process/save-source.ts'

let service: Service
let shop: Shop
beforeAll(async () => {
  service = await startService({
    environment: {
      NUMERA_RATE_PER_MINUTE: '100000',
      NUMERA_RATE_BURST: '100000',
      // A rebuild advances at every poll.
      NUMERA_WORKER_POLL_MS: '100',
    },
  })
  shop = await openShop(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const field = (name: string, type: string) => ({ name, type, personal: false })
const both = [field('ordered', 'timestamp'), field('booked', 'timestamp'), field('amount', 'number')]
const year = { from: '2026-01-01', to: '2027-01-01' }

/** A source whose event time is `ordered`, and what a test does with it. */
const open = async (options: SourceOptions) => {
  const declared = {
    delivers: 'events',
    fields: both,
    event_time: 'ordered',
    metrics: [revenue()],
    ...options,
  }
  const sourceId = await shop.createSource(declared as SourceOptions)
  const { credential } = await shop.connect({ source_id: sourceId })
  const read = async (artifactId: string) => {
    await waitUntilRead(shop.url, credential, artifactId)
    return artifactId
  }
  const lines = async () =>
    (await readSamples(shop.url, credential, year)).samples.map(
      (each) => `${each.period_start} ${each.value}`,
    )
  const trace = async (periodStart: string) => {
    const query = new URLSearchParams({ metric: 'revenue', period_start: periodStart })
    return (await call(`${shop.url}/v1/samples/trace?${query}`, { credential })).body
  }
  return {
    sourceId,
    credential,
    lines,
    trace,
    /** Pushes rows and waits until they have been parsed. */
    send: async (payload: unknown, shapeVersion = 1): Promise<string> => {
      const body = { ...delivery(payload), shape_version: shapeVersion }
      const { status, text, body: receipt } = await ingest(shop.url, credential, body)
      if (status !== 202) throw new Error(text)
      return read(receipt.artifact_id)
    },
    sendDocument: async (document: string): Promise<string> =>
      read((await pushDocument(shop.url, credential, 'document', document)).artifact_id),
    report: async (artifactId: string) =>
      (await call(`${shop.url}/v1/deliveries/${artifactId}`, { credential })).body,
    /** Saves the declaration with another event time, and waits until the samples change. */
    readBy: async (eventTime: string, fields: object[] = both) => {
      const before = await lines()
      const { status, body } = await saveSource(shop.browser, `${shop.pages}/sources/${sourceId}`, {
        ...declared,
        fields,
        event_time: eventTime,
      })
      expect({ status, body }).toMatchObject({ status: 200, body: { rebuilds: true } })
      const deadline = Date.now() + 20_000
      while (String(await lines()) === String(before) && Date.now() < deadline) await sleep(50)
    },
    /** How a trial rebuild differs from the current samples. */
    check: () => service.command('rebuild --check', { source: sourceId }),
  }
}

const agrees = { sources: [{ differences: [], deliveries_in_one_projection_only: 0 }] }
const largeRows = 4_000

test.concurrent('Another event time applies to stored deliveries too: small, large and documents', async ({
  expect,
}) => {
  const source = await open({})
  const small = await source.send([
    { ordered: '2026-01-10', booked: '2026-02-10', amount: '1' },
    { ordered: '2026-01-11', booked: '2026-02-10', amount: '2' },
    { ordered: '2026-01-12', amount: '4' },
    { booked: '2026-02-13T09:00:00Z', amount: '8' },
  ])
  const large = await source.send(
    Array.from({ length: largeRows }, (_, index) => ({
      ordered: '2026-01-20T12:00:00+01:00',
      booked: index === 0 ? null : '2026-02-20T12:00:00+01:00',
      amount: '1',
    })),
  )
  const document = await source.sendDocument(
    'ordered,booked,amount\n2026-01-30,2026-02-28,16\n2026-01-31,,32\n',
  )
  expect(await source.lines()).toEqual([
    '2026-01-31 32',
    '2026-01-30 16',
    `2026-01-20 ${largeRows}`,
    '2026-01-12 4',
    '2026-01-11 2',
    '2026-01-10 1',
  ])
  expect(await source.report(small)).toMatchObject({
    rows_accepted: 3,
    rows_refused: 1,
    rows_date_alone: 3,
    refusals: [{ row: 4, field: 'ordered', code: 'event_time_missing' }],
  })

  await source.readBy('booked')
  const booked = ['2026-02-28 16', `2026-02-20 ${largeRows - 1}`, '2026-02-13 8', '2026-02-10 3']
  expect(await source.lines()).toEqual(booked)
  // A row without it is left out, and counted as refused in the new parse result.
  expect(await source.report(small)).toMatchObject({
    shape_version: 1,
    rows_accepted: 3,
    rows_refused: 1,
    rows_date_alone: 2,
    refusals: [{ row: 3, field: 'booked', code: 'event_time_missing' }],
  })
  expect(await source.report(large)).toMatchObject({
    rows_accepted: largeRows - 1,
    rows_refused: 1,
    refusals: [{ row: 1, field: 'booked', code: 'event_time_missing' }],
  })
  expect(await source.report(document)).toMatchObject({ rows_accepted: 1, rows_refused: 1 })
  expect(await source.trace('2026-02-10')).toMatchObject({
    value: '3',
    deliveries: [{ artifact_id: small, value: '3', rows: 2 }],
  })
  expect(await source.trace('2026-02-20')).toMatchObject({
    deliveries: [{ artifact_id: large, rows: largeRows - 1 }],
  })

  // Deliveries of the previous version are parsed likewise, and a further save reverts all of it.
  await source.send([{ ordered: '2026-01-10', booked: '2026-03-10', amount: '64' }])
  expect(await source.lines()).toEqual(['2026-03-10 64', ...booked])
  expect(await source.check()).toMatchObject(agrees)
  await source.readBy('ordered')
  expect(await source.lines()).toEqual([
    '2026-01-31 32',
    '2026-01-30 16',
    `2026-01-20 ${largeRows}`,
    '2026-01-12 4',
    '2026-01-11 2',
    '2026-01-10 65',
  ])
})

test.concurrent('Statements own the periods of their rows by the declared event time', async ({ expect }) => {
  const source = await open({ delivers: 'statements' })
  const first = await source.send([
    { ordered: '2026-01-10', booked: '2026-02-10', amount: '1' },
    { ordered: '2026-01-11', booked: '2026-02-11', amount: '2' },
  ])
  const second = await source.send([
    { ordered: '2026-01-10', booked: '2026-02-11', amount: '4' },
    { ordered: '2026-01-12', amount: '8' },
  ])
  expect(await source.lines()).toEqual(['2026-01-12 8', '2026-01-11 2', '2026-01-10 4'])

  await source.readBy('booked')
  expect(await source.lines()).toEqual(['2026-02-11 4', '2026-02-10 1'])
  expect(await source.trace('2026-02-11')).toMatchObject({
    value: '4',
    restated: true,
    owner_artifact_id: second,
    deliveries: [
      { artifact_id: second, superseded: false },
      { artifact_id: first, superseded: true },
    ],
  })
  expect(await source.trace('2026-02-10')).toMatchObject({ restated: false, owner_artifact_id: first })
  expect(await source.report(second)).toMatchObject({ rows_accepted: 1, rows_refused: 1 })
  expect(await source.check()).toMatchObject(agrees)
})

test.concurrent('Rows of a version that does not declare the event time as a timestamp keep that version’s event time', async ({
  expect,
}) => {
  const source = await open({ fields: [field('ordered', 'timestamp'), field('amount', 'number')] })
  await source.send([{ ordered: '2026-01-10', amount: '1' }])
  const asText = [field('ordered', 'timestamp'), field('booked', 'text'), field('amount', 'number')]
  const save = async (fields: object[]) => {
    const { body } = await saveSource(shop.browser, `${shop.pages}/sources/${source.sourceId}`, {
      delivers: 'events',
      fields,
      event_time: 'ordered',
      metrics: [revenue()],
    })
    return body
  }
  expect(await save(asText)).toMatchObject({ source: { shape_version: 2 }, rebuilds: false })
  await source.send([{ ordered: '2026-01-11', booked: '2026-02-11', amount: '2' }], 2)
  expect(await save(both)).toMatchObject({ source: { shape_version: 3 }, rebuilds: false })
  await source.send([{ ordered: '2026-01-12', booked: '2026-02-12', amount: '4' }], 3)
  expect(await source.lines()).toEqual(['2026-01-12 4', '2026-01-11 2', '2026-01-10 1'])

  await source.readBy('booked')
  expect(await source.lines()).toEqual(['2026-02-12 4', '2026-01-11 2', '2026-01-10 1'])
  expect(await source.check()).toMatchObject(agrees)
})

test('Reads during a rebuild get all samples of the old projection or all of the new one', async () => {
  const sourceId = await shop.createSource()
  const { credential } = await shop.connect({ source_id: sourceId })
  const sent: string[] = []
  for (let index = 0; index < 60; index++) {
    const day = `2026-01-${String(1 + (index % 30)).padStart(2, '0')}`
    const { body } = await ingest(
      shop.url,
      credential,
      delivery([
        { at: day, amount: '3', customer: 'a' },
        { at: day, amount: '5', customer: 'b' },
      ]),
    )
    sent.push(body.artifact_id)
  }
  for (const id of sent) await waitUntilRead(shop.url, credential, id)
  const january = { from: '2026-01-01', to: '2026-02-01' }
  const readAll = async () => {
    const { samples } = await readSamples(shop.url, credential, january)
    return JSON.stringify(samples.map(({ metric, period_start, value }) => [metric, period_start, value]))
  }
  const old = await readAll()
  await saveSource(shop.browser, `${shop.pages}/sources/${sourceId}`, {
    metrics: [revenue({ period: 'month', aggregation: 'max' }), activeUsers({ period: 'month' })],
  })
  const fresh = JSON.stringify([
    ['active_users', '2026-01-01', '2'],
    ['revenue', '2026-01-01', '5'],
  ])
  for (let shown = ''; shown !== fresh;) {
    shown = await readAll()
    if (shown !== fresh) expect(shown).toBe(old)
  }
})
