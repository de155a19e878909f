import { expect, test } from 'vitest'
import { testMetric } from '../../../testing/in-process/source.ts'
import { startSampleScene, type ReadShop } from '../../../testing/in-process/scenes/sample-scene.ts'
import type { Declaration } from '../declarations/declaration.ts'
import { createReadSamples, samplesMax } from './read-samples.ts'
import { readSamplesCursor } from './samples-cursor.ts'

const { context, app, database, openShop, deliver, get } = await startSampleScene()

const metrics = [
  testMetric({ group_by: ['country'] }),
  testMetric({ metric: 'active_users', aggregation: 'count', group_by: ['country'] }),
]
const countries = Array.from({ length: 2_700 }, (_, index) => `c "${String(index).padStart(4, '0')}`)
const days = ['2026-03-03', '2026-03-02', '2026-03-01']
/** In the order of an answer. */
const all = days.flatMap((day) =>
  ['active_users', 'revenue'].flatMap((metric) => countries.map((country) => `${day} ${metric} ${country}`)),
)

const forge = (text: string): string => Buffer.from(text).toString('base64url')

const openLargeShop = async (delivers: Declaration['delivers'] = 'events') => {
  const shop = await openShop({ metrics, delivers })
  const rows = days.flatMap((at) => countries.map((country) => ({ at, country, amount: '1' })))
  await deliver(shop, rows.toReversed())
  return shop
}

interface Sample {
  period_start: string
  metric: string
  labels: { country: string }
}

/** All pages, each as long as its predecessor said that there is one. */
const readPages = async (shop: ReadShop, query: string): Promise<string[][]> => {
  const pages: string[][] = []
  for (let cursor = ''; ;) {
    const { status, body } = await get(shop.credential, `/v1/samples?${query}${cursor}`)
    expect(status).toBe(200)
    expect('next' in body).toBe(body.truncated)
    const samples = body.samples as Sample[]
    pages.push(samples.map((each) => `${each.period_start} ${each.metric} ${each.labels.country}`))
    if (body.next === undefined) return pages
    expect(body.next.length).toBeLessThan(150)
    cursor = `&cursor=${body.next}`
  }
}

test.each(['events', 'statements'] as const)(
  'next leads through all samples of %s, each once and in order',
  async (delivers) => {
    const shop = await openLargeShop(delivers)
    for (const query of ['', 'as_of=2026-03-15T12:00:00Z']) {
      const pages = await readPages(shop, query)
      expect(pages.map((page) => page.length)).toEqual([
        samplesMax,
        samplesMax,
        samplesMax,
        all.length - 3 * samplesMax,
      ])
      expect(pages.flat()).toEqual(all)
    }
    const revenue = await readPages(shop, 'metric=revenue&from=2026-03-02&to=2026-03-04')
    expect(revenue.flat()).toEqual(all.filter((each) => each.includes('revenue') && each > '2026-03-02'))
  },
)

test('a cursor is of one state of the samples: 409 once a delivery has changed them', async () => {
  const shop = await openLargeShop()
  const first = await get(shop.credential, '/v1/samples')
  const page = `/v1/samples?cursor=${first.body.next}`
  const second = await get(shop.credential, page)
  const unchanged = await get(shop.credential, page, { 'if-none-match': String(second.headers.etag) })
  expect([second.status, unchanged.status]).toEqual([200, 304])
  await deliver(shop, [{ at: '2026-02-01', amount: '1', country: 'SE' }])
  expect(await get(shop.credential, page)).toMatchObject({
    status: 409,
    body: { code: 'conflict', field: 'cursor' },
  })
})

test('a page is refused, too, if the samples change between the look-up of their version and the read', async () => {
  const shop = await openLargeShop()
  const { body } = await get(shop.credential, '/v1/samples')
  const cursor = readSamplesCursor(body.next)
  const read = app.reads.onBasis({ readPool: database.pool, listStandbys: () => [] })
  const readPage = () =>
    createReadSamples()(read, {
      ...shop,
      ...cursor,
      sandbox: false,
      window: body.window,
      labels: new Map(),
      cursor,
    })
  expect(JSON.parse((await readPage()).bytes.toString()).samples).toHaveLength(samplesMax)
  await deliver(shop, [{ at: '2026-02-01', amount: '1', country: 'SE' }])
  await expect(readPage()).rejects.toMatchObject({ code: 'conflict', field: 'cursor' })
})

test('a cursor keeps its window after midnight, and is refused with any other query', async () => {
  const shop = await openLargeShop()
  const { body } = await get(shop.credential, '/v1/samples')
  context.clock.advance(86_400_000)
  const next = await get(shop.credential, `/v1/samples?cursor=${body.next}`)
  expect([next.status, next.body.window]).toEqual([200, body.window])

  const cursor = String(body.next)
  const fields = Buffer.from(cursor, 'base64url').toString().split(' ')
  for (const query of [
    `metric=revenue&cursor=${cursor}`,
    `label.country=SE&cursor=${cursor}`,
    `from=2026-03-01&cursor=${cursor}`,
    `as_of=2026-03-15T12:00:00Z&cursor=${cursor}`,
    'cursor=',
    'cursor=abc',
    `cursor=${cursor}${cursor}`,
    `cursor=${forge(fields.with(2, '9999999').join(' '))}`,
    `cursor=${forge(fields.with(3, '-9999999').join(' '))}`,
  ]) {
    const refused = await get(shop.credential, `/v1/samples?${query}`)
    expect([query, refused.status, refused.body.code, refused.body.field]).toEqual([
      query,
      400,
      'invalid_argument',
      'cursor',
    ])
  }
})
