import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aggregationNames, type Aggregation } from '../../aggregations/aggregations.ts'
import type { Metric, Shape } from '../../declarations/declaration.ts'
import { combine, type AggregatedDelivery } from './combine.ts'
import { compilePlan } from '../plan/compile-plan.ts'
import { toContributions, toTouched } from '../../../../testing/cases/contributions.ts'
import { aggregateDelivery } from '../decode/aggregate-delivery.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'

const shape: Shape = {
  event_time: 'at',
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'country', type: 'text', personal: false },
    { name: 'user', type: 'text', personal: true },
  ],
}
const stockholm = new TimeZone('Europe/Stockholm')

const toMetrics = (revenue: Aggregation): Metric[] => [
  {
    metric: 'revenue',
    aggregation: revenue,
    field: 'amount',
    filters: [],
    group_by: ['country'],
    period: 'week',
  },
  {
    metric: 'active_users',
    aggregation: 'count_distinct',
    field: 'user',
    filters: [{ field: 'country', comparison: '≠', value: 'NO' }],
    group_by: [],
    period: 'month',
  },
]

interface Row {
  at: string
  amount?: string
  country?: string
  user?: string
}

function aggregated(
  revenue: Aggregation,
  receiveNumber: number,
  rows: Row[],
  sandbox = false,
): AggregatedDelivery {
  const plan = compilePlan(shape, toMetrics(revenue), stockholm, Buffer.from('salt'))
  const result = aggregateDelivery(plan, Buffer.from(JSON.stringify(rows)))
  if (result.state !== 'parsed') throw new Error(result.reason)
  const { metrics } = result
  return { receiveNumber, sandbox, contributions: toContributions(metrics), touched: toTouched(metrics) }
}

const toAggregations = (revenue: Aggregation) =>
  new Map<string, Aggregation>([
    ['revenue', revenue],
    ['active_users', 'count_distinct'],
  ])

const shown = (mode: 'events' | 'statements', revenue: Aggregation, deliveries: AggregatedDelivery[]) =>
  combine(mode, toAggregations(revenue), deliveries)
    .filter(({ metric }) => metric === 'revenue')
    .map(({ periodStart, labels, value, artifact, restated, sandbox }) =>
      [periodStart, JSON.parse(labels).country, value, artifact, restated, sandbox].join(' '),
    )

describe('deliveries of events', () => {
  test('add up, and the cell names the delivery that changed it last', () => {
    const deliveries = [
      aggregated('sum', 1, [{ at: '2026-01-05', amount: '10.5', country: 'SE' }]),
      aggregated('sum', 2, [
        { at: '2026-01-07', amount: '-10.50', country: 'SE' },
        { at: '2026-01-12', amount: '1', country: 'SE' },
      ]),
      aggregated('sum', 3, [{ at: '2026-01-05', amount: '7', country: 'SE' }], true),
    ]
    expect(shown('events', 'sum', deliveries)).toEqual([
      '2026-01-12 SE 1 2 false false',
      '2026-01-05 SE 0 2 false false',
      '2026-01-05 SE 7 3 false true',
    ])
  })

  test('take the last by event time, and of two at one time the delivery received last', () => {
    const one = aggregated('last', 1, [{ at: '2026-01-06T10:00:00.5Z', amount: '1' }])
    const two = aggregated('last', 2, [{ at: '2026-01-06T11:00:00.50+01:00', amount: '2' }])
    const three = aggregated('last', 3, [{ at: '2026-01-06T10:00:00Z', amount: '3' }])
    expect(shown('events', 'last', [three, two, one])).toEqual(['2026-01-05  2 3 false false'])
  })

  const row = fc.record(
    {
      at: fc.constantFrom(
        '2026-01-05',
        '2026-01-30T23:30:00Z',
        '2026-02-01',
        '2026-02-01T10:00:00Z',
        '2026-02-08',
      ),
      amount: fc.oneof(fc.maxSafeInteger().map(String), fc.constantFrom('0.1', '0.2', '-0.3', '5', '5.0')),
      country: fc.constantFrom('SE', 'NO', 'DK'),
      user: fc.constantFrom('a', 'b', 'c', 'd'),
    },
    { requiredKeys: ['at'] },
  )
  const rows = fc.array(row, { maxLength: 40 })

  test('result in the same samples in any order, with any repeats', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(rows, fc.boolean()), { maxLength: 6 }),
        fc.constantFrom(...aggregationNames),
        fc.constantFrom('events' as const, 'statements' as const),
        fc.infiniteStream(fc.nat()),
        (given, revenue, mode, random) => {
          const deliveries = given.map(([delivery, sandbox], k) =>
            aggregated(revenue, k + 1, delivery, sandbox),
          )
          const draw = () => random.next().value as number
          const shuffled = [...deliveries, ...deliveries.filter(() => draw() % 2 === 0)]
            .map((delivery) => [draw(), delivery] as const)
            .toSorted((a, b) => a[0] - b[0])
            .map(([, delivery]) => delivery)
          const samples = combine(mode, toAggregations(revenue), shuffled)
          expect(samples).toEqual(combine(mode, toAggregations(revenue), deliveries))
        },
      ),
      { numRuns: 200 },
    )
  })

  test('result in the same values for any split of the rows', () => {
    fc.assert(
      fc.property(
        rows,
        fc.array(fc.nat(39), { maxLength: 5 }),
        fc.constantFrom(...aggregationNames),
        (all, cuts, revenue) => {
          const edges = [0, ...cuts.toSorted((a, b) => a - b), 40]
          const parts = edges.slice(1).map((edge, k) => aggregated(revenue, k + 2, all.slice(edges[k], edge)))
          const values = (deliveries: AggregatedDelivery[]) =>
            combine('events', toAggregations(revenue), deliveries).map((sample) => ({
              ...sample,
              artifact: 0,
            }))
          expect(values(parts)).toEqual(values([aggregated(revenue, 1, all)]))
        },
      ),
      { numRuns: 200 },
    )
  })
})

const january = (amount: string, country = 'SE'): Row => ({ at: '2026-01-05', amount, country })

describe('statements', () => {
  test('own a whole period: what the last one does not mention is removed', () => {
    const first = aggregated('sum', 1, [
      january('1'),
      january('2', 'NO'),
      { at: '2026-01-12', amount: '9', country: 'SE' },
    ])
    const second = aggregated('sum', 2, [january('5')])
    for (const deliveries of [
      [first, second],
      [second, first],
    ]) {
      expect(shown('statements', 'sum', deliveries)).toEqual([
        '2026-01-12 SE 9 1 false false',
        '2026-01-05 SE 5 2 true false',
      ])
    }
  })

  test('touch a period by a row without the counted value, or one that a filter leaves out, but not by a refused one', () => {
    const first = aggregated('sum', 1, [{ ...january('1'), user: 'a' }])
    expect(shown('statements', 'sum', [first, aggregated('sum', 2, [{ at: '2026-01-06' }])])).toEqual([])
    expect(shown('statements', 'sum', [first, aggregated('sum', 2, [january('x')])])).toEqual([
      '2026-01-05 SE 1 1 false false',
    ])
    const filteredOut = aggregated('sum', 2, [{ ...january('2', 'NO'), user: 'b' }])
    const samples = combine('statements', toAggregations('sum'), [first, filteredOut])
    expect(samples.map(({ metric, labels, value }) => `${metric} ${labels} ${value}`)).toEqual([
      'revenue {"country":"NO"} 2',
    ])
  })

  test('of test and of production never meet', () => {
    const deliveries = [aggregated('sum', 1, [january('1')]), aggregated('sum', 2, [january('2')], true)]
    expect(shown('statements', 'sum', deliveries)).toEqual([
      '2026-01-05 SE 1 1 false false',
      '2026-01-05 SE 2 2 false true',
    ])
  })
})
