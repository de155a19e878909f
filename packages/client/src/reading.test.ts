import { expect, test } from 'vitest'
import { Conflict, NotParsedYet, NumeraError, UnreadableDelivery } from './errors.ts'
import {
  fault,
  type Received,
  type Reply,
  startScriptedService,
  stored,
} from '../testing/scripted-service.ts'

interface Day {
  day: string
  value: string
}

const firstDay = '2020-01-01'
/** Every day from 2020 to 2025, newest first, three samples each. */
const days: Day[] = Array.from({ length: 3 * 2192 }, (_, at) => ({
  day: new Date(Date.parse('2025-12-31') - Math.floor(at / 3) * 86_400_000).toISOString().slice(0, 10),
  value: `${at}.5`,
}))

/** Reads as the service does, with windows of 731 days and at most `max` samples. */
const answer =
  (max: number) =>
  ({ path }: Received): Reply => {
    const query = new URL(path, 'http://x').searchParams
    const to = query.get('to') ?? '2026-01-01'
    const least = new Date(Date.parse(to) - 731 * 86_400_000).toISOString().slice(0, 10)
    const asked = query.get('from') ?? least
    const from = asked < least ? least : asked
    const start = Number(query.get('cursor') ?? 0)
    const found = days.filter(({ day }) => day >= from && day < to).slice(start)
    return {
      status: 200,
      body: {
        source_id: 's',
        window: { from, to, max_days: 731, narrowed: asked < least },
        samples: found.slice(0, max).map(({ day, value }) => ({
          metric: 'revenue',
          period_start: day,
          value,
          labels: { delivery_country: 'SE' },
          sandbox: false,
          artifact_id: 'a',
        })),
        truncated: found.length > max,
        ...(found.length > max && { next: `${start + max}` }),
      },
    }
  }

test.each([5000, 700])('samples of six years are read whole, with %i in an answer', async (max) => {
  await using service = await startScriptedService(answer(max))
  const samples = await Array.fromAsync(service.client().samples({ from: firstDay }))
  expect(samples.map(({ value }) => `${value}`)).toEqual(days.map(({ value }) => value))
  expect(samples[0]).toMatchObject({
    periodStart: '2025-12-31',
    labels: { delivery_country: 'SE' },
    artifactId: 'a',
  })
})

const page = (value: string, next?: string) => ({
  status: 200,
  body: {
    source_id: 's',
    window: { from: '2025-01-01', to: '2025-02-01', max_days: 731, narrowed: false },
    samples: [{ metric: 'revenue', period_start: '2025-01-01', value, labels: {}, sandbox: false }],
    truncated: next !== undefined,
    next,
  },
})

test('a cursor leads on, and a change in between is a conflict', async () => {
  await using service = await startScriptedService(
    page('1', 'c1'),
    page('2'),
    page('1', 'c1'),
    fault(409, 'conflict'),
  )
  const numera = service.client()
  const values = await Array.fromAsync(numera.samples(), ({ value }) => value.toString())
  expect(values).toEqual(['1', '2'])
  expect(service.received[1]!.path).toBe('/v1/samples?cursor=c1')
  await expect(Array.fromAsync(numera.samples({ metric: 'revenue' }))).rejects.toThrow(Conflict)
})

test('an answer that has not changed is not sent again', async () => {
  const etag = '"1"'
  await using service = await startScriptedService((request) => {
    if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
    return { ...(answer(5000)(request) as object), status: 200, headers: { etag } }
  })
  const numera = service.client()
  const read = () => Array.fromAsync(numera.samples({ from: '2025-12-30' }), ({ value }) => value.toString())
  expect(await read()).toEqual(await read())
  expect(service.received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, etag])
})

test('filters, company and source are named as the service names them', async () => {
  await using service = await startScriptedService(answer(5000))
  const query = {
    metric: 'revenue',
    from: '2025-12-31',
    to: '2026-01-01',
    asOf: new Date('2026-01-15T12:00:00Z'),
  }
  await Array.fromAsync(
    service
      .client()
      .samples({ ...query, labels: { country: 'SE & NO' }, sourceId: 's', orgnr: '556036-0793' }),
  )
  expect(Object.fromEntries(new URL(service.received[0]!.path, service.url).searchParams)).toEqual({
    metric: 'revenue',
    from: '2025-12-31',
    to: '2026-01-01',
    as_of: '2026-01-15T12:00:00.000Z',
    source_id: 's',
    orgnr: '556036-0793',
    'label.country': 'SE & NO',
  })
})

const report = (state: string, reason: string | null = null) => ({
  status: 200,
  body: { state, reason, refusals: [] },
})

test('a delivery is awaited until it is parsed, or the time is over', async () => {
  await using service = await startScriptedService(report('queued'), report('queued'), report('parsed'))
  const delivery = service.client().delivery('a')
  expect(await delivery.parsed()).toMatchObject({ state: 'parsed' })
  expect(service.clock.sleeps).toEqual([200, 500])
  service.replies = [report('queued')]
  await expect(delivery.parsed({ timeoutMs: 5000 })).rejects.toThrow(NotParsedYet)
  service.replies = [report('unreadable', 'Not rows.')]
  await expect(delivery.parsed()).rejects.toThrow(UnreadableDelivery)
})

test('a replay is marked, and a base address with a credential is refused', async () => {
  await using service = await startScriptedService({
    ...(stored as object),
    status: 202,
    headers: { 'idempotent-replayed': 'true' },
  })
  expect(await service.client().push({ a: '1' }, { key: 'k', shapeVersion: 1 })).toMatchObject({
    replayed: true,
  })
  for (const baseUrl of [
    'https://user:secret@numera.example',
    'https://numera.example?token=x',
    'ftp://numera.example',
  ]) {
    expect(() => service.client({ baseUrl } as object)).toThrow(TypeError)
  }
  expect(new NumeraError('x')).toBeInstanceOf(Error)
})

test('deliveries are listed a page at a time, and a check stores nothing', async () => {
  const delivery = { artifact_id: 'a', state: 'parsed', rows_accepted: 1 }
  const checked = {
    rows_accepted: 0,
    rows_refused: 1,
    refusals: [{ row: 1, field: 'at', code: 'event_time_missing' }],
  }
  await using service = await startScriptedService(
    { status: 200, body: { deliveries: [delivery], cursor: 'c', more: false } },
    { status: 200, body: checked },
  )
  const numera = service.client()
  const page = await numera.deliveries({ after: 'b', state: 'parsed', limit: 10, waitSeconds: 20 })
  expect(page).toMatchObject({ deliveries: [{ artifactId: 'a', rowsAccepted: 1 }], cursor: 'c' })
  expect(service.received[0]!.path).toBe('/v1/deliveries?after=b&state=parsed&limit=10&wait=20')
  expect(await numera.check({ amount: '1' }, { shapeVersion: 1 })).toMatchObject({ rowsRefused: 1 })
  expect(service.received[1]).toMatchObject({ method: 'POST', path: '/v1/ingest/check' })
})
