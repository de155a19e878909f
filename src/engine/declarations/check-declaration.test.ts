import { expect, test } from 'vitest'
import { aggregations } from '../aggregations/aggregations.ts'
import { checkDeclaration } from './check-declaration.ts'
import type { Metric, Shape } from './declaration.ts'

const shape: Shape = {
  event_time: 'at',
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'salary', type: 'number', personal: true },
    { name: 'country', type: 'text', personal: false },
    { name: 'user', type: 'text', personal: true },
    { name: 'paid', type: 'bool', personal: false },
  ],
}
const revenue: Metric = {
  metric: 'revenue',
  aggregation: 'sum',
  field: 'amount',
  filters: [{ field: 'paid', comparison: '=', value: 'TRUE' }],
  group_by: ['country'],
  period: 'day',
}
const uncounted: Metric = {
  metric: 'revenue',
  aggregation: 'count',
  filters: [],
  group_by: [],
  period: 'day',
}
const users: Metric = {
  metric: 'active_users',
  aggregation: 'count_distinct',
  field: 'user',
  filters: [{ field: 'user', comparison: '≠', value: 'robot' }],
  group_by: [],
  period: 'month',
}

const faults = (metrics: Metric[], ofShape: Shape = shape) =>
  checkDeclaration(ofShape, metrics, aggregations).map(({ field }) => field)

test('A valid declaration has no faults', () => {
  expect(faults([revenue, users])).toEqual([])
  expect(faults([])).toEqual([])
  expect(
    faults([{ metric: 'revenue', aggregation: 'count', filters: [], group_by: [], period: 'week' }]),
  ).toEqual([])
  expect(faults([{ ...revenue, times: 'amount' }])).toEqual([])
})

const named = (...names: string[]): Shape => ({
  event_time: 'at',
  fields: [shape.fields[0]!, ...names.map((name) => ({ name, type: 'text' as const, personal: false }))],
})

test('Fields have different names of 1 to 100 characters, and there are 1 to 200 of them', () => {
  expect(faults([], named('😀'.repeat(100), '__proto__', 'a b', 'å"'))).toEqual([])
  expect(faults([], named('', 'a\n', 'b\u0085', '\ud800', 'x'.repeat(101), 'at'))).toEqual(
    [1, 2, 3, 4, 5, 6].map((index) => `fields[${index}].name`),
  )
  expect(faults([], named(...Array.from({ length: 199 }, (_, k) => `f${k}`)))).toEqual([])
  expect(faults([], named(...Array.from({ length: 200 }, (_, k) => `f${k}`)))).toEqual(['fields'])
  expect(faults([], { event_time: 'at', fields: [] })).toEqual(['fields', 'event_time'])
})

test('The event time is a timestamp field', () => {
  expect(faults([], { ...shape, event_time: 'amount' })).toEqual(['event_time'])
  expect(faults([], { ...shape, event_time: 'gone' })).toEqual(['event_time'])
})

test('A metric is known and counted once', () => {
  expect(faults([{ ...revenue, metric: 'profit' }])).toEqual(['metrics[0].metric'])
  expect(faults([revenue, users, revenue])).toEqual(['metrics[2].metric'])
})

test('Only numbers that are not personal are computed with', () => {
  for (const aggregation of ['sum', 'min', 'max', 'last'] as const) {
    expect(faults([{ ...revenue, aggregation, field: 'country' }])).toEqual(['metrics[0].field'])
    expect(faults([{ ...revenue, aggregation, field: 'salary' }])).toEqual(['metrics[0].field'])
    expect(faults([{ ...uncounted, aggregation }])).toEqual(['metrics[0].field'])
  }
  expect(faults([{ ...revenue, aggregation: 'count_distinct', field: 'salary' }])).toEqual([])
  expect(faults([{ ...revenue, field: 'gone' }])).toEqual(['metrics[0].field'])
  expect(faults([{ ...revenue, times: 'country' }])).toEqual(['metrics[0].times'])
  expect(faults([{ ...users, times: 'amount' }])).toEqual(['metrics[0].times'])
})

test('A personal field is never a label, and no field is one twice', () => {
  expect(faults([{ ...revenue, group_by: ['user'] }])).toEqual(['metrics[0].group_by[0]'])
  expect(faults([{ ...revenue, group_by: ['country', 'paid', 'country', 'gone'] }])).toEqual([
    'metrics[0].group_by[2]',
    'metrics[0].group_by[3]',
  ])
})

const filtered = (...filters: Metric['filters']) => faults([{ ...revenue, filters }])

test('What is compared with fits the type of its field', () => {
  expect(
    filtered(
      { field: 'amount', comparison: '>', value: '1e3' },
      { field: 'at', comparison: '≥', value: '2026-01-01' },
      { field: 'country', comparison: 'in', values: ['SE', 'NO'] },
    ),
  ).toEqual([])
  expect(
    filtered(
      { field: 'amount', comparison: '>', value: '1,5' },
      { field: 'paid', comparison: '=', value: 'yes' },
      { field: 'country', comparison: '=', value: '' },
      { field: 'gone', comparison: '=', value: 'x' },
      { field: 'amount', comparison: 'in', values: [] },
      { field: 'amount', comparison: 'in', values: ['1', 'x'] },
      { field: 'amount', comparison: 'in', values: Array.from({ length: 1001 }, () => '1') },
    ),
  ).toEqual([
    'metrics[0].filters[0].value',
    'metrics[0].filters[1].value',
    'metrics[0].filters[2].value',
    'metrics[0].filters[3].field',
    'metrics[0].filters[4].values',
    'metrics[0].filters[5].values[1]',
    'metrics[0].filters[6].values',
  ])
})
