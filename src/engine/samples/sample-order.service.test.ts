import { beforeEach, expect, test } from 'vitest'
import {
  byLabelValues,
  startLabelledSources,
  type Labels,
} from '../../../testing/in-process/labelled-source.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { samplesMax } from './read-samples.ts'

const service = await startTestService()
const openSource = startLabelledSources(service)
beforeEach(() => service.context.clock.set('2026-03-15T12:00:00Z'))

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
    const source = await openSource(names, delivers)
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
    const sorted = [...wanted.values()].toSorted(byLabelValues)
    await source.deliver('2026-03-01', cells.toReversed())
    await source.deliver('2026-03-02', cells)
    for (const { samples } of await source.readAll()) {
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
  const source = await openSource(names)
  const same = 'å'.repeat(199)
  const sorted = values
    .map((value): Labels => ({ a: same, b: `${same}"`, c: `${same}\\`, d: value }))
    .toSorted(byLabelValues)
  await source.deliver('2026-03-01', sorted.toReversed())
  for (const { samples } of await source.readAll('?metric=revenue')) {
    expect(samples.map(({ labels }) => labels.d)).toEqual(sorted.map(({ d }) => d))
  }
})

test('the samples beyond 5,000 in that order are left out', async () => {
  const source = await openSource(['kind'])
  // As JSON all that continue with a space would come first.
  const cells = Array.from({ length: samplesMax / 2 + 5 }, (_, index) => {
    const kind = `k${String(index).padStart(5, '0')}`
    return [{ kind: `${kind} more` }, { kind }]
  }).flat()
  await source.deliver('2026-03-01', cells)
  const sorted = cells.toSorted(byLabelValues).map(({ kind }) => kind)
  for (const { samples, truncated } of await source.readAll('?metric=revenue')) {
    expect(truncated).toBe(true)
    expect(samples.map(({ labels }) => labels['kind'])).toEqual(sorted.slice(0, samplesMax))
  }
})
