import { type Aggregation, aggregationNames } from '../../engine/aggregations/aggregations.ts'
import { describe, expect, test } from 'vitest'
import { seedSource } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import {
  goodRow as good,
  refusedRow as bad,
  startDeliveryLog,
} from '../../../testing/in-process/scenes/delivery-log-scene.ts'

const log = await startDeliveryLog()
const { database, context, worker, store, deliver, list } = log

describe('the list', () => {
  test('pages have no gaps or repeats under any filter', async () => {
    const other = await seedSource(context, log.companyId, { name: 'Other' })
    const all: string[] = []
    for (let number = 0; number < 11; number++) {
      const rows = number % 3 === 0 ? [bad] : [good]
      const source = number % 2 === 0 ? log.sourceId : other.sourceId
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
      expect([query, await log.owner.get(`${log.company}/deliveries?${query}`)]).toMatchObject([
        query,
        { status: 400, body: { field } },
      ])
    }
  })

  test('with its tag the answer is empty until a delivery is received or parsed', async () => {
    const path = `${log.company}/deliveries?limit=10`
    const ask = (etag: unknown) =>
      log.owner.send('GET', path, undefined, etag === undefined ? {} : { 'if-none-match': String(etag) })
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
  test('more than 100 refused rows: the answer gives the row up to which refusals are known', async () => {
    const artifactId = await deliver([good, ...Array.from({ length: 120 }, () => bad), good])
    const page = async (query: string) =>
      (await log.owner.get(`${log.company}/deliveries/${artifactId}/rows?${query}`)).body
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

  test('a delivery of 8 MiB is shown a page at a time', async () => {
    const rows = Array.from({ length: 100_000 }, (_, number) => ({
      at: '2026-01-14T12:00:00Z',
      amount: String(number),
      customer: 'anna@example.com',
    }))
    const artifactId = await store(rows, { compressed: true })
    const first = await log.owner.get(`${log.company}/deliveries/${artifactId}/rows?limit=200`)
    expect(first.body.rows).toHaveLength(200)
    const cursor = Buffer.from('99990').toString('base64url')
    const last = await log.owner.get(
      `${log.company}/deliveries/${artifactId}/rows?limit=200&cursor=${cursor}`,
    )
    expect(last.body.rows.map((each: { row: number }) => each.row)).toEqual(
      Array.from({ length: 10 }, (_, place) => 99_991 + place),
    )
    expect(JSON.stringify([first.body, last.body])).not.toContain('anna')
  })
})

const changes = async (artifactId: string, query = '') =>
  (await log.owner.get(`${log.company}/deliveries/${artifactId}/samples${query}`)).body

describe('the samples that a delivery changed', () => {
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
      const { sourceId: source } = await seedSource(context, log.companyId, { metrics })
      // The later event time comes first.
      await deliver([{ at: '2026-01-14T13:00:00Z', amount: '5' }], { source })
      const artifactId = await deliver([{ at: '2026-01-14T12:00:00Z', amount: '3' }], { source })
      expect((await changes(artifactId)).samples).toMatchObject([{ before, gave, after }])
    },
  )

  test('a cursor that is far beyond them leads to an empty page', async () => {
    const { sourceId: source } = await seedSource(context, log.companyId, { delivers: 'statements' })
    const artifactId = await deliver([good], { source })
    const cursor = Buffer.from('9'.repeat(18)).toString('base64url')
    expect(await changes(artifactId, `?cursor=${cursor}`)).toEqual({
      samples: [],
      count: 1,
      next_cursor: null,
    })
  })
})
