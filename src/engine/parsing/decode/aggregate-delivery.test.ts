import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Filter, Metric, Shape } from '../../declarations/declaration.ts'
import { compilePlan, chooseEventTime } from '../plan/compile-plan.ts'
import { aggregateDelivery } from './aggregate-delivery.ts'
import { metric, salt, shape, stockholm } from '../../../../testing/cases/orders.ts'
import { cellValues } from '../../../../testing/cases/cell-values.ts'

function aggregate(metrics: Metric[], rows: unknown, ofShape: Shape = shape) {
  const content = typeof rows === 'string' ? rows : JSON.stringify(rows)
  const plan = compilePlan(ofShape, metrics, stockholm, salt)
  const result = cellValues(aggregateDelivery(plan, Buffer.from(content)))
  expect(cellValues(aggregateDelivery(plan, Buffer.from(content), 'json', { fast: false }))).toEqual(result)
  if (result.state !== 'parsed') throw new Error(result.reason)
  return result
}

const cells = (result: ReturnType<typeof aggregate>) =>
  result.contributions.map(({ periodStart, labels, value }) => `${periodStart} ${labels} ${value}`).toSorted()

const at = '2026-01-05T10:00:00Z'

/** Rows with two times, the second also declared as a text, under a declaration that names one of them. */
const readBy = (declared: string, type: 'timestamp' | 'text') => {
  const ofDelivery: Shape = {
    event_time: 'at',
    fields: [
      { name: 'at', type: 'timestamp', personal: false },
      { name: 'booked', type, personal: false },
    ],
  }
  const rows = [{ at: '2026-01-05', booked: '2026-02-05' }, { at: '2026-01-06' }]
  const read = { ...ofDelivery, event_time: chooseEventTime(ofDelivery, declared) }
  return cells(aggregate([metric({ aggregation: 'count' })], rows, read))
}

const hash = (text: string) => createHash('sha256').update(`saltnumber:${text}`).digest().subarray(0, 16)

describe('aggregating', () => {
  test('adds amounts exactly by day and label', () => {
    const result = aggregate(
      [metric({ field: 'amount', group_by: ['country'] })],
      [
        { at, amount: '0.1', country: 'SE' },
        { at, amount: '0.2', country: 'SE' },
        { at: '2026-01-05T23:30:00Z', amount: '9007199254740993', country: 'SE' },
        { at, amount: '99999999999999999999.000000000000000001', country: 'NO' },
        { at, amount: '-99999999999999999999', country: 'NO' },
        { at, amount: '1e3' },
      ],
    )
    expect(cells(result)).toEqual([
      '2026-01-05 {"country":""} 1000',
      '2026-01-05 {"country":"NO"} 0.000000000000000001',
      '2026-01-05 {"country":"SE"} 0.3',
      '2026-01-06 {"country":"SE"} 9007199254740993',
    ])
    expect(result.rowsAccepted).toBe(6)
    expect(result.touched).toEqual([
      { metric: 'revenue', periodStart: '2026-01-05' },
      { metric: 'revenue', periodStart: '2026-01-06' },
    ])
  })

  test('stays exact where sums and products leave the safe integers', () => {
    const rows = Array.from({ length: 50 }, () => ({
      at,
      amount: '999999999999999',
      quantity: '999999999999.999',
    }))
    const sum = (field: string, times?: string) =>
      aggregate([metric(times === undefined ? { field } : { field, times })], rows).contributions[0]!.value
    expect(sum('amount')).toBe(String(999_999_999_999_999n * 50n))
    const product = (999_999_999_999_999n * 999_999_999_999_999n * 50n).toString()
    expect(sum('amount', 'quantity')).toBe(
      `${product.slice(0, -3)}.${product.slice(-3)}`.replace(/\.?0+$/, ''),
    )
  })

  test('does not treat a rounded product as exact when the sum is small again', () => {
    const rows = [
      { at, amount: '-9007199254740991', quantity: '1' },
      { at, amount: '94906267', quantity: '94906267' },
    ]
    const exact = 94_906_267n * 94_906_267n - 9_007_199_254_740_991n
    expect(cells(aggregate([metric({ field: 'amount', times: 'quantity' })], rows))).toEqual([
      `2026-01-05 {} ${exact}`,
    ])
  })

  test('keeps a cell whose rows cancel out, with 0', () => {
    const rows = [
      { at, amount: '5.5' },
      { at, amount: '-5.50' },
    ]
    expect(cells(aggregate([metric({ field: 'amount' })], rows))).toEqual(['2026-01-05 {} 0'])
  })

  test('creates no cell for rows without the counted field or excluded by a filter, but touches the period', () => {
    const metrics = [
      metric({ field: 'amount', filters: [{ field: 'country', comparison: '=', value: 'SE' }] }),
    ]
    const result = aggregate(metrics, [
      { at, country: 'SE' },
      { at, amount: '1', country: 'NO' },
    ])
    expect(result.contributions).toEqual([])
    expect(result.touched).toEqual([{ metric: 'revenue', periodStart: '2026-01-05' }])
  })

  test('counts rows, values that are there, and different values', () => {
    const rows = [
      { at, amount: '1.0' },
      { at, amount: 1 },
      { at, amount: '2' },
      { at, amount: '' },
      { at, amount: null },
    ]
    expect(cells(aggregate([metric({ aggregation: 'count' })], rows))).toEqual(['2026-01-05 {} 5'])
    expect(cells(aggregate([metric({ aggregation: 'count', field: 'amount' })], rows))).toEqual([
      '2026-01-05 {} 3',
    ])
    const distinct = aggregate([metric({ aggregation: 'count_distinct', field: 'amount' })], rows)
      .contributions[0]!
    expect(distinct.value).toBe('2')
    expect(distinct.distinct).toEqual(Buffer.concat([hash('1'), hash('2')]))
    expect(distinct.rows).toBe(3)
  })

  test('takes the last by event time, and of two at one time the later row', () => {
    const rows = [
      { at: '2026-01-05T10:00:00.25Z', amount: '1' },
      { at: '2026-01-05T11:00:00.250+01:00', amount: '2' },
      { at: '2026-01-05T10:00:00.2Z', amount: '3' },
      { at: '2026-01-05T09:00:00Z', amount: '4' },
    ]
    expect(aggregate([metric({ aggregation: 'last', field: 'amount' })], rows).contributions).toEqual([
      {
        metric: 'revenue',
        periodStart: '2026-01-05',
        labels: '{}',
        value: '2',
        rows: 4,
        eventAt: '1767607200.25',
      },
    ])
  })

  test('names labels in code point order and values in one form', () => {
    const metrics = [metric({ aggregation: 'count', group_by: ['test', 'country', 'amount', 'due'] })]
    const rows = [
      { at, test: 'TRUE', amount: '1.50', country: 'a"\\\u0001å', due: '2026-01-05' },
      { at, test: true, amount: 1.5, country: 'a"\\\u0001å', due: '2026-01-05T00:00:00+01:00' },
    ]
    expect(cells(aggregate(metrics, rows))).toEqual([
      '2026-01-05 {"amount":"1.5","country":"a\\"\\\\\\u0001å","due":"2026-01-04T23:00:00Z","test":"true"} 2',
    ])
  })

  test('filters numbers by size, times as instants, text by code points, and passes missing values by ≠ alone', () => {
    const rows = [
      { at, amount: '10', country: '\uffff', test: 'true', due: '2026-01-05T11:00:00+01:00' },
      { at, amount: '9.0', country: '\ud83d\ude00', test: 'False', due: '2026-01-05' },
      { at },
    ]
    const passing = (filter: Filter) =>
      Number(
        aggregate([metric({ aggregation: 'count', filters: [filter] })], rows).contributions[0]?.value ?? 0,
      )
    expect(passing({ field: 'amount', comparison: '>', value: '9' })).toBe(1)
    expect(passing({ field: 'amount', comparison: '≥', value: '9.00' })).toBe(2)
    expect(passing({ field: 'amount', comparison: '≠', value: '1e1' })).toBe(2)
    expect(passing({ field: 'amount', comparison: 'in', values: ['9', '10.0', '11'] })).toBe(2)
    expect(passing({ field: 'amount', comparison: '<', value: '1e37' })).toBe(2)
    expect(passing({ field: 'country', comparison: '<', value: '\ud83d\ude00' })).toBe(1)
    expect(passing({ field: 'country', comparison: 'in', values: ['\uffff', 'x'] })).toBe(1)
    expect(passing({ field: 'due', comparison: '=', value: '2026-01-05T10:00:00Z' })).toBe(1)
    expect(passing({ field: 'due', comparison: '≤', value: '2026-01-04T23:00:00Z' })).toBe(1)
    expect(passing({ field: 'test', comparison: '=', value: 'FALSE' })).toBe(1)
    expect(passing({ field: 'test', comparison: '>', value: 'false' })).toBe(1)
    expect(passing({ field: 'unknown', comparison: '≠', value: 'x' })).toBe(3)
    expect(passing({ field: 'unknown', comparison: '=', value: 'x' })).toBe(0)
  })

  test('counts a row once among those with a date alone', () => {
    const rows = [
      { at: '2026-01-05', due: '2026-01-06' },
      { at, due: '2026-01-06' },
      { at },
      { due: '2026-01-06' },
    ]
    const result = aggregate([], rows)
    expect([result.rowsAccepted, result.rowsRefused, result.rowsDateAlone]).toEqual([3, 1, 2])
  })

  test('refuses rows by number, field and reason, never saying the value', () => {
    const refused = (row: unknown) => aggregate([], [{ at }, row]).refusals
    expect(refused({ at, amount: 'secret' })).toEqual([
      {
        row: 2,
        field: 'amount',
        code: 'number_malformed',
        reason: 'The value is not a number such as 1249.50, without comma, separators or unit.',
      },
    ])
    const code = (row: unknown) =>
      refused(row)
        .map(({ field, code }) => `${field} ${code}`)
        .join()
    expect(code({})).toBe('at event_time_missing')
    expect(code({ at: null })).toBe('at event_time_missing')
    expect(code({ at: '' })).toBe('at event_time_missing')
    expect(code({ at: 1767607200 })).toBe('at timestamp_malformed')
    expect(code({ at: '2026-01-05T10:00:00' })).toBe('at timestamp_no_offset')
    expect(code({ at: '2026-02-30' })).toBe('at timestamp_no_such_day')
    expect(code({ at: '0000-01-01' })).toBe('at event_time_out_of_range')
    expect(code({ at: '9999-12-31T23:30:00Z' })).toBe('at event_time_out_of_range')
    expect(code({ at, due: '9999-12-31T23:30:00Z' })).toBe('')
    expect(code({ at, amount: '1e38' })).toBe('amount number_too_long')
    expect(code({ at, amount: true })).toBe('amount number_malformed')
    expect(code({ at, amount: {} })).toBe('amount value_not_plain')
    expect(code({ at, country: ['SE'] })).toBe('country value_not_plain')
    expect(code({ at, country: 'a\0' })).toBe('country text_not_storable')
    expect(code({ at, country: '\ud800' })).toBe('country text_not_storable')
    expect(code({ at, country: '😀'.repeat(10_000) })).toBe('')
    expect(code({ at, country: '😀'.repeat(10_001) })).toBe('country text_too_long')
    expect(code({ at, country: 'x'.repeat(10_001) })).toBe('country text_too_long')
    expect(code({ at, test: 1 })).toBe('test bool_malformed')
    const byCountry = [metric({ aggregation: 'count', group_by: ['country', 'due'] })]
    const label = (row: unknown) =>
      aggregate(byCountry, [row]).refusals.map(({ field, code, reason }) => `${field} ${code} ${reason}`)
    expect(label({ at, country: '😀'.repeat(200) })).toEqual([])
    expect(label({ at, country: '😀'.repeat(201), due: 'x' })).toEqual([
      'country label_too_long The value is longer than 200 characters, and a metric is grouped by it.',
    ])
    expect(label({ country: 'x'.repeat(201) })[0]).toMatch(/^country label_too_long/)
    expect(label({ at, due: `2026-01-05T10:00:00.${'1'.repeat(181)}Z` })[0]).toMatch(/^due label_too_long/)
    // The first in the order of the declaration, not of the row.
    expect(code({ test: 'no', amount: 'x' })).toBe('amount number_malformed')
  })

  test('keeps the first hundred refusals and counts all', () => {
    const result = aggregate(
      [],
      Array.from({ length: 250 }, (_, k) => (k % 2 ? { at } : { at: 'never' })),
    )
    expect([result.rowsAccepted, result.rowsRefused, result.refusals.length]).toEqual([125, 125, 100])
    expect(result.refusals[99]!.row).toBe(199)
  })

  test('accepts exact values under a declared key: digits and words', () => {
    const rows =
      '[{"at":"2026-01-05","amount":1.10,"country":1.10},{"at":"2026-01-05","amount":1E+2,"country":true}]'
    const result = aggregate([metric({ field: 'amount', group_by: ['country'] })], rows)
    expect(cells(result)).toEqual(['2026-01-05 {"country":"1.10"} 1.1', '2026-01-05 {"country":"true"} 100'])
  })

  test('reads one object as one row, and an empty list as none', () => {
    expect(aggregate([], { at }).rowsAccepted).toBe(1)
    expect(aggregate([], []).rowsAccepted).toBe(0)
    expect(aggregate([], ' [ ] ').rowsAccepted).toBe(0)
  })

  test('reads __proto__ and its like as ordinary keys', () => {
    const fields = [
      { name: 'at', type: 'timestamp', personal: false },
      { name: '__proto__', type: 'text', personal: false },
    ] as const
    const result = aggregate(
      [metric({ aggregation: 'count', group_by: ['__proto__'] })],
      '[{"at":"2026-01-05","__proto__":"x"},{"at":"2026-01-05","\\u005f_proto__":"x"},{"at":"2026-01-05","constructor":1}]',
      { event_time: 'at', fields: [...fields] },
    )
    expect(cells(result)).toEqual(['2026-01-05 {"__proto__":""} 1', '2026-01-05 {"__proto__":"x"} 2'])
  })

  test('reads what an older shape lacks as missing, and what was personal there as no label', () => {
    const metrics = [metric({ aggregation: 'count', group_by: ['kund "å"', 'region'] })]
    expect(cells(aggregate(metrics, [{ at, 'kund "å"': 'Anna' }]))).toEqual([
      '2026-01-05 {"kund \\"å\\"":"","region":""} 1',
    ])
    expect(cells(aggregate([metric({ field: 'price' })], [{ at }]))).toEqual([])
    expect(cells(aggregate([metric({ field: 'country' })], [{ at, country: '5' }]))).toEqual([])
  })

  test('reads the day from the event time declared now, where an older shape has it as a timestamp', () => {
    const own = ['2026-01-05 {} 1', '2026-01-06 {} 1']
    expect(readBy('booked', 'timestamp')).toEqual(['2026-02-05 {} 1'])
    expect(readBy('at', 'timestamp')).toEqual(own)
    expect(readBy('booked', 'text')).toEqual(own)
    expect(readBy('gone', 'timestamp')).toEqual(own)
  })

  test('reports why content is unreadable and counts no row of it', () => {
    const plan = compilePlan(shape, [], stockholm, salt)
    const read = (content: string | Buffer) => aggregateDelivery(plan, Buffer.from(content))
    for (const content of [
      '',
      'x',
      '1',
      '"a"',
      '[1]',
      '[{}',
      '[{},]',
      '[{} {}]',
      '{}{}',
      '[{"at":1,"at":2}]',
      '[{"at":"x","\\u0061t":"y"}]',
      '[{"other":1,"other":2}]',
      '[{"at" "x"}]',
      '[{"at":01}]',
      '[{"at":tru}]',
      '[{"at":"2026-01-05}]',
      '[{"at":"\n"}]',
      '{',
      '[{"amount":-}]',
      '[{"amount":1.}]',
      '[{"amount":00}]',
      '[{"amount":"1"',
      '[null]',
      '[[]]',
      '[{"test":truex}]',
      '[{"at":nul}]',
      '[{"at":"2026-01-05T10:00:00Z",}]',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ]) {
      expect(read(content).state, String(content)).toBe('unreadable')
    }
  })
})
