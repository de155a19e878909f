import { describe, expect, test } from 'vitest'
import { mergeLast, mergeList } from './apply-changes.ts'
import { type Delivery, type DeliveryList, nextPageSize } from './delivery-queries.ts'

const delivery = (number: number, more: Partial<Delivery> = {}): Delivery =>
  ({
    artifact_id: `d${number}`,
    source_id: 'shop',
    channel: 'push',
    sandbox: false,
    received_at: `2026-03-01T12:${String(number).padStart(2, '0')}:00.000Z`,
    state: 'queued',
    ...more,
  }) as Delivery
const toList = (deliveries: Delivery[], count = deliveries.length) => ({
  pages: [{ deliveries, count: { deliveries: count, more: false }, searched_to: null, next_cursor: null }],
  pageParams: [''],
})
const shown = (data: { pages: DeliveryList[] } | undefined) =>
  data && [
    data.pages[0]!.count?.deliveries,
    ...data.pages[0]!.deliveries.map((each) => `${each.artifact_id} ${each.state}`),
  ]

describe('A list with changed deliveries', () => {
  const list = toList([delivery(2), delivery(1, { state: 'parsed' })])

  test('adds new ones on top, and counts them', () => {
    expect(shown(mergeList(list, {}, [delivery(3)]))).toEqual([3, 'd3 queued', 'd2 queued', 'd1 parsed'])
    expect(shown(mergeList(toList([]), {}, [delivery(3)]))).toEqual([1, 'd3 queued'])
  })

  test('updates parsed ones in place', () => {
    expect(shown(mergeList(list, { from: '2026-01-01' }, [delivery(2, { state: 'parsed' })]))).toEqual([
      2,
      'd2 parsed',
      'd1 parsed',
    ])
  })

  test.each([[{ source: 'other' }], [{ channel: 'webhook' as const }], [{ sandbox: 'true' as const }]])(
    'is unchanged if none passes its filter: %o',
    (filter) => {
      expect(mergeList(list, { ...filter, state: 'queued' }, [delivery(3)])).toBe(list)
    },
  )

  test.each([[{ state: 'queued' as const }], [{ to: '2026-03-02' }], [{ search: 'd' }]])(
    'is reloaded if only the service knows which pass: %o',
    (filter) => {
      expect(mergeList(list, filter, [delivery(3)])).toBeUndefined()
    },
  )

  test('is reloaded if one is older than its newest, or it exceeds a page', () => {
    expect(mergeList(list, {}, [delivery(0)])).toBeUndefined()
    const long = Array.from({ length: nextPageSize }, () => delivery(1))
    expect(mergeList(toList(long), {}, [delivery(2)])).toBeUndefined()
  })
})

describe('The last delivery of each source', () => {
  test('is the changed one if that is later or the same', () => {
    const other = delivery(1, { source_id: 'other' })
    const last = [delivery(1), other]
    expect(mergeLast(last, [delivery(3), delivery(2)])).toEqual([delivery(3), other])
    const parsed = delivery(1, { state: 'parsed' })
    expect(mergeLast(last, [parsed])).toEqual([parsed, other])
    expect(mergeLast(last, [delivery(0)])).toEqual(last)
    expect(mergeLast([], [other])).toEqual([other])
  })

  test('is reloaded if two were received in the same millisecond', () => {
    expect(mergeLast([delivery(1)], [delivery(1, { artifact_id: 'twin' })])).toBeUndefined()
  })
})
