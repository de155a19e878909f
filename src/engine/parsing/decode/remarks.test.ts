import type { Format } from '../../formats/formats.ts'
import { describe, expect, test } from 'vitest'
import type { Metric, Shape } from '../../declarations/declaration.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'
import { compilePlan } from '../plan/compile-plan.ts'
import { reportRemarks } from '../plan/remarks.ts'
import { aggregateDelivery } from './aggregate-delivery.ts'

const shape: Shape = {
  event_time: 'at',
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'quantity', type: 'number', personal: false },
    { name: 'country', type: 'text', personal: false },
  ],
}
const revenue: Metric = {
  metric: 'revenue',
  aggregation: 'sum',
  field: 'amount',
  filters: [],
  group_by: [],
  period: 'month',
}
const receivedAt = new Date('2026-01-05T12:00:00Z')

function remarksOn(
  content: string | object[],
  { metrics = [revenue], ofShape = shape, format = 'json' as Format } = {},
) {
  const plan = compilePlan(ofShape, metrics, new TimeZone('Europe/Stockholm'), Buffer.from('salt'))
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  const [fast, general] = [true, false].map((fast) => {
    const result = aggregateDelivery(plan, bytes, format, { receivedAt, fast })
    if (result.state !== 'parsed') throw new Error(result.reason)
    return result.remarks
  })
  expect(general).toEqual(fast)
  return fast!
}

function missing(rows: object[], options = {}): string[] {
  return remarksOn(rows, options).missing_values.map(
    ({ metric, field, rows }) => `${metric} ${field} ${rows}`,
  )
}

describe('rows that add nothing to a metric because a field is missing', () => {
  const at = '2026-01-05'

  test('are counted, whether the key is absent, null or empty', () => {
    const rows = [
      { at, amout: '1' },
      { at, amount: '' },
      { at, amount: null },
      { at, amount: '0' },
    ]
    expect(missing(rows)).toEqual(['revenue amount 3'])
    expect(missing([{ at, amount: '1' }])).toEqual([])
  })

  test('are counted for each metric by itself, and once for a product', () => {
    const metrics: Metric[] = [
      { ...revenue, times: 'quantity' },
      { ...revenue, metric: 'active_users', aggregation: 'count_distinct', field: 'country' },
    ]
    const rows = [{ at }, { at, amount: '1' }, { at, quantity: '1', country: 'SE' }]
    expect(missing(rows, { metrics })).toEqual([
      'revenue amount 2',
      'revenue quantity 1',
      'active_users country 2',
    ])
  })

  test('are not those that a filter leaves out, nor those that are refused, nor any where rows are counted', () => {
    const filtered: Metric = { ...revenue, filters: [{ field: 'country', comparison: '=', value: 'SE' }] }
    const rows = [{ at, country: 'NO' }, { at, country: 'SE' }, { country: 'SE' }]
    expect(missing(rows, { metrics: [filtered] })).toEqual(['revenue amount 1'])
    const { field: _field, ...counted } = { ...revenue, aggregation: 'count' as const }
    expect(missing(rows, { metrics: [counted] })).toEqual([])
  })

  test('are all rows where the version that they were sent with has no such field', () => {
    const fields = shape.fields.filter(({ name }) => name !== 'amount')
    expect(missing([{ at }, { at }], { ofShape: { ...shape, fields } })).toEqual(['revenue amount 2'])
  })

  test('are counted exactly in a delivery of 8 MiB', () => {
    const rows = Array.from({ length: 250_000 }, (_, n) =>
      n % 7 === 0 ? `{"at":"${at}"}` : `{"at":"${at}","amount":"1"}`,
    )
    const content = `[${rows.join()}]`
    expect(content.length).toBeGreaterThan(7_500_000)
    expect(remarksOn(content).missing_values).toEqual([{ metric: 'revenue', field: 'amount', rows: 35_715 }])
  })
})

describe('rows dated far ahead', () => {
  test('are those more than 366 days after the day of receipt in the company’s time zone, and they count', () => {
    const rows = [
      { at: '2027-01-06', amount: '1' },
      { at: '2027-01-06T22:59:59Z', amount: '1' },
      { at: '2027-01-06T23:00:00Z', amount: '1' },
      { amount: '1' },
      { at: '9999-12-31', amount: '1' },
    ]
    expect(remarksOn(rows)).toMatchObject({
      rows_far_ahead: 2,
      far_ahead: [
        { row: 3, day: '2027-01-07' },
        { row: 5, day: '9999-12-31' },
      ],
    })
  })

  test('are all counted; the first ten are reported, with their lines in a document', () => {
    const { rows_far_ahead: rows, far_ahead: first } = remarksOn(
      `at;amount\n${'2062-01-05;1\n'.repeat(500)}`,
      {
        format: 'csv',
      },
    )
    expect(rows).toBe(500)
    expect(first).toHaveLength(10)
    expect(first[9]).toEqual({ row: 10, line: 11, day: '2062-01-05' })
  })

  test('do not reveal a personal event time', () => {
    const fields = shape.fields.map((field) => ({ ...field, personal: field.name === 'at' }))
    expect(remarksOn([{ at: '2062-01-05' }], { ofShape: { ...shape, fields } }).far_ahead).toEqual([
      { row: 1 },
    ])
  })
})

test('a dropped key that resembles the missing field is named with it', () => {
  const missing = [
    { metric: 'revenue', field: 'amount', rows: 1 },
    { metric: 'active_users', field: 'customer', rows: 1 },
  ]
  expect(reportRemarks({ missing_values: missing }, ['amount', 'amout', 'note']).missing_values).toEqual([
    { ...missing[0], similar_dropped_key: 'amout' },
    missing[1],
  ])
})
