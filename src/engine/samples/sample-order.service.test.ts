import { beforeEach, expect, test } from 'vitest'
import { byCodePoint } from '../../formats/values/by-code-point.ts'
import type { Delivers } from '../declarations/declaration.ts'
import { seedCompany, seedConnection, seedSource } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { answerBytesMax, samplesMax } from './read-samples.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
beforeEach(() => context.clock.set('2026-03-15T12:00:00Z'))

type Labels = Record<string, string>
interface Answer {
  samples: { metric: string; period_start: string; labels: Labels }[]
  truncated: boolean
}

/** A source whose metrics are grouped by these fields, and a client that reads it. */
const openShop = async (names: string[], delivers: Delivers = 'events') => {
  const { company, owner } = await seedCompany(context)
  const source = await seedSource(context, company.companyId, {
    delivers,
    fields: [...testFields, ...names.map((name) => ({ name, type: 'text' as const, personal: false }))],
    metrics: [
      testMetric({ group_by: names }),
      testMetric({ metric: 'active_users', aggregation: 'count', group_by: names }),
    ],
  })
  const { credential } = await seedConnection(context, { company, owner, source })
  const { companyId } = company
  const read = async (query = ''): Promise<Answer> => {
    context.clock.advance(1_000)
    const headers = { authorization: `Bearer ${credential}` }
    const answer = await app.inject({ url: `/v1/samples${query}`, headers })
    expect(answer.statusCode).toBe(200)
    return answer.json()
  }
  return {
    deliver: async (day: string, cells: Labels[]): Promise<void> => {
      const rows = cells.map((labels) => ({ at: day, amount: '1', ...labels }))
      await storeDelivery(database.pool, { companyId, sourceId: source.sourceId }, rows)
      await worker.drain()
    },
    read,
    /** The answers as of now and as of then. */
    readAll: async (query = ''): Promise<Answer[]> => {
      const and = query === '' ? '?' : `${query}&`
      return [await read(query), await read(`${and}as_of=2026-03-14T00:00:00Z`)]
    },
  }
}

/** [read.order] written directly: values by label name, as lists of code points. */
const byValues = (a: Labels, b: Labels): number => {
  for (const name of Object.keys(a).toSorted(byCodePoint)) {
    const order = byCodePoint(a[name]!, b[name]!)
    if (order !== 0) return order
  }
  return 0
}

/**
 * What JSON escapes or what is less than its quotation mark, each by itself and as the continuation of a shorter value.
 */
const endings = [
  '',
  ' ',
  '!',
  '"',
  '#',
  '\\',
  '\\n',
  '\\u0001',
  ',',
  '}',
  ':',
  '~',
  '\u0001',
  '\u0002',
  '\u0003',
]
const furtherEndings = [
  '\b',
  '\t',
  '\n',
  '\f',
  '\r',
  '\u001f',
  '\u007f',
  '\u0080',
  'b',
  'é',
  '￿',
  '\u{1f35e}',
  '~01',
]
const values = [...endings, ...furtherEndings].flatMap((ending) => [ending, `a${ending}`])

test('samples are in the order of their labels’ values in code points, not in that of their JSON', async () => {
  for (const delivers of ['events', 'statements'] as const) {
    const names = ['sort', 'land "å" \\', ' x']
    const shop = await openShop(names, delivers)
    const cells = values.flatMap((first) =>
      ['', 'a', ' ', '"\\', '\u0001'].map((second): Labels => ({
        [names[1]!]: first,
        [names[0]!]: second,
        [names[2]!]: '',
      })),
    )
    // Under a name that sorts first, too.
    cells.push(...values.map((value): Labels => ({ [names[2]!]: value, [names[1]!]: 'z', [names[0]!]: '' })))
    const wanted = new Map(cells.map((labels) => [JSON.stringify(Object.entries(labels).toSorted()), labels]))
    const sorted = [...wanted.values()].toSorted(byValues)
    await shop.deliver('2026-03-01', cells.toReversed())
    await shop.deliver('2026-03-02', cells)
    for (const { samples } of await shop.readAll()) {
      expect(samples.map(({ period_start, metric }) => `${period_start} ${metric}`)).toEqual(
        ['2026-03-02', '2026-03-01'].flatMap((day) =>
          ['active_users', 'revenue'].flatMap((metric) => sorted.map(() => `${day} ${metric}`)),
        ),
      )
      const order = samples.map(({ labels }) => labels)
      expect(order).toEqual([sorted, sorted, sorted, sorted].flat())
    }
  }
})

test('labels that are alike for longer than is compared at first are in order too', async () => {
  const names = ['a', 'b', 'c', 'd']
  const shop = await openShop(names)
  const same = 'å'.repeat(199)
  const sorted = values
    .map((value): Labels => ({ a: same, b: `${same}"`, c: `${same}\\`, d: value }))
    .toSorted(byValues)
  await shop.deliver('2026-03-01', sorted.toReversed())
  for (const { samples } of await shop.readAll('?metric=revenue')) {
    expect(samples.map(({ labels }) => labels.d)).toEqual(sorted.map(({ d }) => d))
  }
})

test('the samples beyond 5,000 in that order are left out', async () => {
  const shop = await openShop(['kind'])
  // As JSON all that continue with a space would come first.
  const cells = Array.from({ length: samplesMax / 2 + 5 }, (_, index) => {
    const kind = `k${String(index).padStart(5, '0')}`
    return [{ kind: `${kind} more` }, { kind }]
  }).flat()
  await shop.deliver('2026-03-01', cells)
  const sorted = cells.toSorted(byValues).map(({ kind }) => kind)
  for (const { samples, truncated } of await shop.readAll('?metric=revenue')) {
    expect(truncated).toBe(true)
    expect(samples.map(({ labels }) => labels['kind'])).toEqual(sorted.slice(0, samplesMax))
  }
})

test('the samples beyond 8 MiB in that order are left out', async () => {
  const names = Array.from({ length: 16 }, (_, index) => `n${String(index).padStart(2, '0')}`)
  const shop = await openShop(names)
  const long = '"'.repeat(199)
  const cells = Array.from({ length: 1_400 }, (_, index): Labels => {
    const first = `k${String(index >> 1).padStart(5, '0')}${index % 2 === 0 ? ' more' : ''}`
    return Object.fromEntries(names.map((name, place) => [name, place === 0 ? first : long]))
  })
  for (let from = 0; from < cells.length; from += 200) {
    await shop.deliver('2026-03-01', cells.slice(from, from + 200))
  }
  const sorted = cells.toSorted(byValues).map(({ n00 }) => n00)
  for (const answer of await shop.readAll('?metric=revenue')) {
    expect(answer.truncated).toBe(true)
    const kept = answer.samples.map(({ labels }) => labels['n00'])
    expect(kept).toEqual(sorted.slice(0, kept.length))
    const bytes = Buffer.byteLength(JSON.stringify(answer))
    expect(bytes).toBeLessThanOrEqual(answerBytesMax)
    expect(bytes).toBeGreaterThan(answerBytesMax - 10_000)
  }
})
