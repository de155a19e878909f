import { expect, test } from 'vitest'
import { compareSources, getReasons } from './compare-sources.ts'
import type { Declaration } from './declaration.ts'

const before: Declaration = {
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'shop', type: 'text', personal: false },
  ],
  event_time: 'at',
  metrics: [
    {
      metric: 'revenue',
      aggregation: 'sum',
      field: 'amount',
      filters: [],
      group_by: ['shop'],
      period: 'day',
    },
  ],
  delivers: 'events',
}

const none = {
  added: [],
  removed: [],
  changed: [],
  eventTime: false,
  delivers: false,
  metrics: false,
  order: false,
}

test('Equal sources do not differ, in any order of members', () => {
  const { metric, aggregation, field, filters, group_by, period } = before.metrics[0]!
  const same: Declaration = {
    ...before,
    metrics: [{ period, group_by, filters, field: field!, aggregation, metric }],
  }
  expect(compareSources(before, same).filter(({ changed }) => changed)).toEqual([])
})

test('Added, removed and changed fields are distinguished', () => {
  const after: Declaration = {
    ...before,
    fields: [
      { name: 'at', type: 'timestamp', personal: false },
      { name: 'amount', type: 'text', personal: false },
      { name: 'channel', type: 'text', personal: false },
    ],
  }
  expect(getReasons(before, after)).toEqual({
    ...none,
    added: ['channel'],
    removed: ['shop'],
    changed: ['amount'],
  })
})

test('A condition, the event time and the mode are differences', () => {
  const filtered = before.metrics.map((metric) => ({
    ...metric,
    filters: [{ field: 'shop', comparison: '=' as const, value: 'Ekeby' }],
  }))
  expect(getReasons(before, { ...before, metrics: filtered })).toEqual({ ...none, metrics: true })
  expect(getReasons(before, { ...before, event_time: 'sold_at' })).toEqual({ ...none, eventTime: true })
  expect(getReasons(before, { ...before, delivers: 'statements' })).toEqual({ ...none, delivers: true })
})

test('A different order of fields is a difference', () => {
  expect(getReasons(before, { ...before, fields: before.fields.toReversed() })).toEqual({
    ...none,
    order: true,
  })
})

test('Settings are compared if both sides have them', () => {
  const names = compareSources(before, before).map(({ what }) => what)
  expect(names).not.toContain('name')
  const [first] = compareSources({ ...before, name: 'Shop' }, { ...before, name: 'Web shop' })
  expect(first).toEqual({ what: 'name', left: 'Shop', right: 'Web shop', changed: true })
})
