import { describe, expect, test } from 'vitest'
import type { Metric, Shape } from '../../declarations/declaration.ts'
import { compilePlan } from './compile-plan.ts'
import { aggregateDelivery } from '../decode/aggregate-delivery.ts'
import { refusalsKeptBytesMax } from './refusal.ts'
import { cellValues } from '../../../../testing/cases/cell-values.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'
import { cellBytes, writeAllowance, writtenBytesAlways } from './write-allowance.ts'

const shape: Shape = {
  event_time: 'date',
  fields: [
    { name: 'date', type: 'timestamp', personal: false },
    { name: 'text', type: 'text', personal: false },
    { name: 'amount', type: 'number', personal: false },
  ],
}
const byText = (metric: string, parts: Partial<Metric> = {}): Metric => ({
  metric,
  aggregation: 'count',
  filters: [],
  group_by: ['text'],
  period: 'day',
  ...parts,
})
const both = [byText('revenue', { aggregation: 'sum', field: 'amount' }), byText('active_users')]

const aggregate = (metrics: Metric[], content: string, format: 'csv' | 'sie' = 'csv') => {
  const plan = compilePlan(shape, metrics, new TimeZone('UTC'), Buffer.from('salt'))
  const result = cellValues(aggregateDelivery(plan, Buffer.from(content), format))
  expect(cellValues(aggregateDelivery(plan, Buffer.from(content), format, { fast: false }))).toEqual(result)
  if (result.state !== 'parsed') throw new Error(result.reason)
  return result
}
const csv = (rows: string[]): string => `date,text,amount\n${rows.join('\n')}\n`

describe('what a delivery writes is bounded by a small multiple of its bytes', () => {
  test('a row beyond it is refused whole, with a reason, and rows of existing cells still count', () => {
    const rows = Array.from({ length: 20_000 }, (_, k) => `2026-01-05,${k.toString(36)},1`)
    rows.push('2026-01-05,0,7', '2026-01-06,0,7')
    const content = csv(rows)
    const result = aggregate(both, content)
    expect(result.writtenBytes).toBeLessThanOrEqual(writeAllowance(content.length))
    expect(result.writtenBytes).toBeGreaterThan(writeAllowance(content.length) - 4 * cellBytes)
    expect(result.rowsRefused).toBeGreaterThan(1_000)
    expect(result.rowsAccepted + result.rowsRefused).toBe(20_002)
    // Everything after the first refused row is refused too, except what makes nothing new.
    const [first] = result.refusals
    expect(first).toEqual({
      row: result.rowsAccepted,
      line: result.rowsAccepted + 1,
      code: 'allowance_spent',
      reason:
        'The delivery has more different labels, periods or counted values than one of its size may have.',
    })
    const cells = Map.groupBy(result.contributions, ({ metric }) => metric)
    expect(cells.get('revenue')).toHaveLength(result.rowsAccepted - 1)
    expect(cells.get('active_users')).toHaveLength(result.rowsAccepted - 1)
    expect(cells.get('revenue')!.find(({ labels }) => labels === '{"text":"0"}')).toMatchObject({
      value: '8',
    })
    expect(result.touched).toHaveLength(2)
  })

  test('texts that a SIE file has once for all rows of a verification are counted for each cell', () => {
    const rows = Array.from({ length: 20_000 }, (_, k) => `#TRANS 1 {} ${k}`).join('\n')
    const content = `#FLAGGA 0\n#SIETYP 4\n#VER A 1 20260105 "${'x'.repeat(200)}"\n{\n${rows}\n}\n`
    const byAmount = both.map((metric) => ({ ...metric, group_by: ['text', 'amount'] }))
    const result = aggregate(byAmount, content, 'sie')
    expect(result.rowsRefused).toBeGreaterThan(10_000)
    expect(result.writtenBytes).toBeLessThanOrEqual(writeAllowance(content.length))
  })

  test('values of a distinct count and periods are counted too', () => {
    const distinct = [byText('active_users', { aggregation: 'count_distinct', field: 'text', group_by: [] })]
    // Just under eight bytes a value, which is as few as possible.
    const values = Array.from({ length: 60_000 }, (_, k) => `1970-01-01,${k.toString(36)},`)
    const days = Array.from({ length: 40_000 }, (_, k) => new Date(k * 86_400_000).toISOString().slice(0, 10))
    const ofDays = `date\n${days.join('\n')}\n`
    for (const [metrics, content] of [
      [distinct, csv(values)],
      [both.map((metric) => ({ ...metric, group_by: [] })), ofDays],
    ] as const) {
      const result = aggregate([...metrics], content)
      expect(result.writtenBytes).toBeLessThanOrEqual(writeAllowance(content.length))
      expect(result.writtenBytes).toBeGreaterThan(writtenBytesAlways)
    }
  })

  test('a small delivery may have a cell in every row', () => {
    const rows = Array.from({ length: 200 }, (_, k) => `2026-01-05,${k},1`)
    expect(aggregate(both, csv(rows))).toMatchObject({ rowsAccepted: 200, rowsRefused: 0 })
  })

  test('stored refusals are few and short', () => {
    const name = 'ö'.repeat(100)
    const metrics: Metric[] = []
    const fields = [shape.fields[0]!, { name, type: 'number' as const, personal: false }]
    const plan = compilePlan({ ...shape, fields }, metrics, new TimeZone('UTC'), Buffer.from('salt'))
    const content = `date,${name}\n${'2026-01-05,x\n'.repeat(500)}`
    const result = aggregateDelivery(plan, Buffer.from(content), 'csv')
    if (result.state !== 'parsed') throw new Error(result.reason)
    expect(result.rowsRefused).toBe(500)
    expect(Buffer.byteLength(JSON.stringify(result.refusals))).toBeLessThanOrEqual(refusalsKeptBytesMax)
    expect(result.refusals.length).toBeGreaterThan(80)
  })
})
