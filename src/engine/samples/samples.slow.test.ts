import { type Aggregation, aggregationNames } from '../aggregations/aggregations.ts'
import { expect, test } from 'vitest'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { samplesMax } from './read-samples.ts'
import { byCountry, startSampleScene } from '../../../testing/in-process/scenes/sample-scene.ts'

const { database, context, worker, openShop, deliver, get, values } = await startSampleScene()

test.for([
  ['from=yesterday', 'from'],
  ['from=2026-02-30', 'from'],
  ['from=2026-1-1', 'from'],
  ['from=2026-03-01T00:00:00Z', 'from'],
  ['from=0000-05-01', 'from'],
  ['from=', 'from'],
  ['to=2026-13-01', 'to'],
  ['from=2026-03-02&to=2026-03-02', 'from'],
  ['from=2026-03-02&to=2026-03-01', 'from'],
  ['from=2026-03-17', 'from'],
  ['from=2026-03-01&from=2026-03-02', 'from'],
  ['to=2026-03-01&to=2026-03-01', 'to'],
  ['metric=revenue&metric=revenue', 'metric'],
  ['label.country=SE&label.country=NO', 'label.country'],
  ['metric=%00', 'metric'],
  ['as_of=2026-03-01', 'as_of'],
  ['as_of=2026-03-01T00:00:00', 'as_of'],
] as const)('%s is refused for its field %s', async ([query, field]) => {
  const shop = await openShop()
  const { status, body } = await get(shop.credential, `/v1/samples?${query}`)
  expect([status, body.code, body.field]).toEqual([400, 'invalid_argument', field])
})

test.for([
  // An hour before midnight in Stockholm, then the night in which the clock goes forward.
  ['Europe/Stockholm', '2026-03-28T22:59:00Z', '2026-03-29'],
  ['Europe/Stockholm', '2026-03-28T23:00:00Z', '2026-03-30'],
  ['Europe/Stockholm', '2026-03-29T21:59:00Z', '2026-03-30'],
  ['Europe/Stockholm', '2026-03-29T22:00:00Z', '2026-03-31'],
  ['America/New_York', '2026-11-01T03:59:00Z', '2026-11-01'],
  ['America/New_York', '2026-11-02T04:59:00Z', '2026-11-02'],
  ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', '2026-01-03'],
] as const)('in %s at %s the window ends with the company’s today', async ([timeZone, instant, to]) => {
  const shop = await openShop({}, timeZone)
  context.clock.set(instant)
  context.clock.advance(-1_000)
  const { body } = await get(shop.credential, '/v1/samples')
  expect(body.window).toMatchObject({ to, narrowed: false })
  const days = (Date.parse(to) - Date.parse(body.window.from)) / 86_400_000
  expect(days).toBe(731)
})

test('a window that is too wide is narrowed, with a flag', async () => {
  const shop = await openShop()
  await deliver(shop, [
    { at: '2020-01-01', amount: '1' },
    { at: '2024-03-14', amount: '2' },
    { at: '2024-03-15', amount: '3' },
  ])
  const { body } = await get(shop.credential, '/v1/samples?from=2019-01-01')
  expect(body.window).toEqual({ from: '2024-03-15', to: '2026-03-16', max_days: 731, narrowed: true })
  expect(body.samples).toMatchObject([{ value: '3' }])
  const exact = await get(shop.credential, '/v1/samples?from=2024-03-15')
  expect(exact.body.window.narrowed).toBe(false)
  const early = await get(shop.credential, '/v1/samples?to=0001-06-01')
  expect(early.body.window).toEqual({ from: '0001-01-01', to: '0001-06-01', max_days: 731, narrowed: false })
})

test('the day `to` is left out, and the day `from` is not', async () => {
  const shop = await openShop()
  await deliver(shop, [
    { at: '2026-03-01', amount: '1' },
    { at: '2026-03-02', amount: '2' },
    { at: '2026-03-03', amount: '3' },
  ])
  expect(await values(shop, '?from=2026-03-02&to=2026-03-03')).toEqual(['2026-03-02 2'])
})

test('an answer has at most its newest 5,000 samples, with a flag for more', async () => {
  const shop = await openShop(byCountry)
  const rows = Array.from({ length: samplesMax }, (_, index) => ({
    at: '2026-03-01',
    amount: '1',
    country: `${index}`,
  }))
  await deliver(shop, rows)
  const exactly = await get(shop.credential, '/v1/samples')
  expect([exactly.body.samples.length, exactly.body.truncated]).toEqual([samplesMax, false])
  await deliver(shop, [{ at: '2026-03-02', amount: '7', country: 'SE' }])
  const more = await get(shop.credential, '/v1/samples')
  expect([more.body.samples.length, more.body.truncated]).toEqual([samplesMax, true])
  expect(more.body.samples[0].value).toBe('7')
  const labels = more.body.samples
    .slice(1)
    .map((sample: { labels: { country: string } }) => sample.labels.country)
  expect(labels).toEqual(
    rows
      .map((row) => row.country)
      .toSorted()
      .slice(0, samplesMax - 1),
  )
})

/** A text that hardly compresses. */
const long = (first: number, length = 200): string =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((first + index * 7919) % 20_000))).join(
    '',
  )

test('labels longer than an index entry are read like others', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `label ${10 + index}`)
  const shop = await openShop({
    fields: [...testFields, ...names.map((name) => ({ name, type: 'text' as const, personal: false }))],
    metrics: [testMetric({ group_by: names })],
  })
  const labels = Object.fromEntries(names.map((name, index) => [name, long(index)]))
  const artifactId = await deliver(shop, [
    { at: '2026-03-01', amount: '7', ...labels },
    { at: '2026-03-01', amount: '8', ...labels, 'label 12': long(2, 201) },
  ])
  expect(await values(shop)).toEqual([`2026-03-01 ${Object.values(labels).join(' ')} 7`])
  expect((await get(shop.credential, `/v1/deliveries/${artifactId}`)).body).toMatchObject({
    rows_accepted: 1,
    rows_refused: 1,
    refusals: [{ row: 2, field: 'label 12', code: 'label_too_long' }],
  })
})

test('a statement with nothing but refused rows in a period leaves it alone, one that is filtered out empties it', async () => {
  const filters = [{ field: 'country', comparison: '=' as const, value: 'SE' }]
  const shop = await openShop({ delivers: 'statements', metrics: [testMetric({ filters })] })
  await deliver(shop, [
    { at: '2026-03-01', amount: '1', country: 'SE' },
    { at: '2026-03-02', amount: '2', country: 'SE' },
  ])
  await deliver(shop, [
    { at: '2026-03-01', amount: 'much', country: 'SE' },
    { at: '2026-03-02', amount: '3', country: 'NO' },
  ])
  expect(await values(shop)).toEqual(['2026-03-01 1'])
})

const ofFiveThenThree: Record<Aggregation, [then: string, now: string]> = {
  sum: ['5', '8'],
  count: ['1', '2'],
  count_distinct: ['1', '2'],
  min: ['5', '3'],
  max: ['5', '5'],
  last: ['5', '5'],
}

test.each(aggregationNames)('a %s can be read as it was at a moment', async (aggregation) => {
  const shop = await openShop({ metrics: [testMetric({ aggregation })] })
  // The later event time comes first.
  for (const [receivedAt, hour, amount] of [
    ['2026-03-02T10:00:00Z', '13', '5'],
    ['2026-03-03T10:00:00Z', '12', '3'],
  ]) {
    const rows = [{ at: `2026-03-01T${hour}:00:00Z`, amount }]
    await storeDelivery(database.pool, shop, rows, { receivedAt: receivedAt! })
  }
  await worker.drain()
  const [then, now] = ofFiveThenThree[aggregation]
  expect(await values(shop, '?as_of=2026-03-02T12:00:00Z')).toEqual([`2026-03-01 ${then}`])
  expect(await values(shop)).toEqual([`2026-03-01 ${now}`])
})
