import { describe, expect, test } from 'vitest'
import {
  addFields,
  addMetric,
  toBody,
  changeField,
  type Draft,
  toDraft,
  emptyDraft,
  isSame,
} from './draft.ts'
import { findFaults, toPlace } from './find-faults.ts'
import { proposeMetrics } from './propose-metrics.ts'
import type { SavedSource } from '../declaration.ts'

const known = [
  { key: 'active_users', unit: 'count' },
  { key: 'revenue', unit: 'SEK' },
]

const saved = {
  source: {
    revision: 7,
    name: 'Web shop',
    system_kind: 'E-commerce',
    channel: 'push',
    format: null,
  },
  version: {
    shape_version: 3,
    fields: [
      { name: 'at', type: 'timestamp', personal: false },
      { name: 'amount', type: 'number', personal: false },
      { name: 'status', type: 'text', personal: false },
      { name: 'customer', type: 'text', personal: true },
    ],
    event_time: 'at',
    metrics: [
      {
        metric: 'revenue',
        aggregation: 'sum',
        field: 'amount',
        filters: [
          { field: 'status', comparison: 'in', values: ['paid', 'sent'] },
          { field: 'status', comparison: '≠', value: 'cancelled' },
        ],
        group_by: ['status'],
        period: 'day',
      },
    ],
    delivers: 'events',
  },
} as unknown as SavedSource

const draft = toDraft(saved)

/** The problems, as `id: code`. */
const wrong = (changed: Draft): string[] =>
  findFaults(changed).map(({ fieldId, code }) => `${fieldId}: ${code}`)

/** The draft with one more field. */
const withField = (name: string): Draft => addFields(draft, [{ name, type: 'text', personal: false }])

/** The draft with its one metric changed. */
const withMetric = (change: Partial<Draft['metrics'][number]>): Draft => ({
  ...draft,
  metrics: [{ ...draft.metrics[0]!, ...change }],
})

test('A source saved without edits is unchanged', () => {
  const { fields, event_time, metrics, delivers } = saved.version
  const { name, system_kind, channel, format } = saved.source
  expect(toBody(draft)).toEqual({
    name,
    system_kind,
    channel,
    format,
    fields,
    event_time,
    metrics,
    delivers,
  })
  expect(isSame(draft, { ...draft, next: 99 })).toBe(true)
  expect(isSame(draft, { ...draft, event_time: 'sold_at' })).toBe(false)
})

describe('The values of a condition', () => {
  const values = ['paid', 'a "quote", and a comma', '  spaces ', 'two\r\nlines', 'back\\slash', '"']
  const filter = { field: 'status', comparison: 'in' as const, values }
  const opened = (given: typeof filter | { field: string; comparison: '='; value: string }): Draft =>
    toDraft({
      ...saved,
      version: { ...saved.version, metrics: [{ ...saved.version.metrics[0]!, filters: [given] }] },
    })

  test('are saved unchanged, with commas, quotation marks, spaces and line breaks', () => {
    const plain = { ...filter, values: values.filter((value) => !value.includes('\n')) }
    const one = { field: 'status', comparison: '=' as const, value: 'two\nlines' }
    for (const given of [filter, plain, one]) {
      expect(toBody(opened(given)).metrics[0]!.filters).toEqual([given])
      expect(findFaults(opened(given))).toEqual([])
    }
    // Values need no quotes unless one has a line break.
    expect(opened(plain).metrics[0]!.filters[0]!.value.split('\n')).toEqual(plain.values)
  })

  test('report missing quotation marks', () => {
    const [written] = opened(filter).metrics[0]!.filters
    const wrongly = withMetric({ filters: [{ ...written!, value: `${written!.value}\npaid` }] })
    expect(wrong(wrongly)).toEqual(['metrics[0].filters[0].value: notQuoted'])
    const empty = withMetric({ filters: [{ ...written!, value: '""' }] })
    expect(wrong(empty)).toEqual(['metrics[0].filters[0].value: noValue'])
  })

  test('become one with another comparison, and are never joined silently', () => {
    const two = withMetric({ filters: [{ id: 9, field: 'status', comparison: '=', value: 'paid\nsent' }] })
    expect(wrong(two)).toEqual(['metrics[0].filters[0].value: oneValue'])
  })
})

test('Settings that an aggregation does not use are not sent', () => {
  const [metric] = toBody(withMetric({ aggregation: 'count', field: '', times: 'amount' })).metrics
  expect(metric).not.toHaveProperty('field')
  expect(metric).not.toHaveProperty('times')
})

describe('A field that is renamed', () => {
  test('is renamed as counted field, filter, label and event time', () => {
    const renamed = changeField(
      changeField(draft, draft.fields[2]!.id, { name: 'state' }),
      draft.fields[0]!.id,
      {
        name: 'sold_at',
      },
    )
    expect(renamed.event_time).toBe('sold_at')
    expect(renamed.metrics[0]!.group_by).toEqual(['state'])
    expect(renamed.metrics[0]!.filters.map(({ field }) => field)).toEqual(['state', 'state'])
    expect(findFaults(renamed)).toEqual([])
  })

  test('is renamed nowhere else if the name is empty or taken', () => {
    const twice = addFields(draft, [{ name: 'status', type: 'text', personal: false }])
    const renamed = changeField(twice, twice.fields[4]!.id, { name: 'state' })
    expect(renamed.metrics[0]!.group_by).toEqual(['status'])
    const unnamed = addFields(withMetric({ times: '' }), [{ name: '', type: 'number', personal: false }])
    expect(changeField(unnamed, unnamed.fields[4]!.id, { name: 'count' }).metrics[0]!.times).toBe('')
  })
})

const withFields = (...names: [name: string, type: 'text' | 'number'][]) =>
  addFields(
    emptyDraft,
    names.map(([name, type]) => ({ name, type, personal: false })),
  )
const proposedFor = (of: Draft, key = 'revenue') =>
  proposeMetrics(of, known).find(({ metric }) => metric === key)

test('A new metric gets an unused key, if there is one', () => {
  const [free, ...others] = proposeMetrics(draft, known)
  expect(free).toMatchObject({ metric: 'active_users', aggregation: 'count_distinct' })
  expect(others).toEqual([])
  const two = addMetric(draft, free!)
  expect(two.metrics.map(({ metric }) => metric)).toEqual(['revenue', 'active_users'])
  expect(proposeMetrics(two, known)).toEqual([])
})

test('A proposed metric counts what its fields’ names suggest, and nothing where they suggest nothing', () => {
  const lines = withFields(
    ['Quantity', 'number'],
    ['UnitPrice', 'number'],
    ['Country', 'text'],
    ['CustomerID', 'text'],
  )
  expect(proposedFor(lines)).toMatchObject({ field: 'Quantity', times: 'UnitPrice', group_by: ['Country'] })
  expect(proposedFor(lines, 'active_users')).toMatchObject({
    aggregation: 'count_distinct',
    field: 'CustomerID',
  })
  const invoices = withFields(
    ['moms', 'number'],
    ['belopp_netto', 'number'],
    ['antal', 'number'],
    ['pris', 'number'],
  )
  expect(proposedFor(invoices)).toMatchObject({ field: 'belopp_netto', times: '', group_by: [] })
  expect(proposedFor(withFields(['x', 'number']))).toMatchObject({ field: 'x', times: '' })
  expect(proposedFor(withFields(['x', 'number'], ['y', 'number']))).toMatchObject({ field: '', times: '' })
  const orders = withFields(['amount', 'number'], ['currency', 'text'])
  expect(proposedFor(orders)).toMatchObject({ field: '' })
  // A personal number may not be summed.
  const personal = addFields(emptyDraft, [{ name: 'amount', type: 'number', personal: true }])
  expect(proposedFor(personal)).toMatchObject({ field: '' })
})

describe('A problem', () => {
  test('in an empty form is listed by step', () => {
    expect(wrong(emptyDraft)).toEqual([
      'name: noName',
      'system_kind: noKind',
      'fields: noFields',
      'event_time: noEventTime',
      'delivers: delivers',
    ])
  })

  test.each([
    [{ name: ' ' }, 'name: noName'],
    [{ name: 'x'.repeat(101) }, 'name: nameTooLong'],
    [{ name: '📦'.repeat(100) }, undefined],
    [{ name: 'shop\u202E' }, 'name: nameHidden'],
    [{ event_time: 'amount' }, 'event_time: noEventTime'],
    [{ delivers: '' }, 'delivers: delivers'],
  ] as [Partial<Draft>, string | undefined][])('of %j is %s', (change, fault) => {
    expect(wrong({ ...draft, ...change })).toEqual(fault === undefined ? [] : [fault])
  })

  test.each([
    [{ field: '' }, 'metrics[0].field: noField'],
    [{ field: 'gone' }, 'metrics[0].field: goneField'],
    [{ field: 'status' }, 'metrics[0].field: notNumber'],
    [{ field: 'customer', aggregation: 'count_distinct' }, undefined],
    [{ field: '', aggregation: 'count' }, undefined],
    [{ group_by: ['customer'] }, 'metrics[0].group_by: personalLabel'],
    [{ group_by: ['gone'] }, 'metrics[0].group_by: goneField'],
    [
      { filters: [{ id: 9, field: 'amount', comparison: '>', value: '1 249,00' }] },
      'metrics[0].filters[0].value: noNumber',
    ],
    [{ filters: [{ id: 9, field: 'amount', comparison: '>', value: '-1249.50' }] }, undefined],
    [
      { filters: [{ id: 9, field: 'status', comparison: '=', value: '' }] },
      'metrics[0].filters[0].value: noValue',
    ],
    [
      { filters: [{ id: 9, field: 'status', comparison: 'in', value: '\n' }] },
      'metrics[0].filters[0].value: noValue',
    ],
    [
      { filters: [{ id: 9, field: 'at', comparison: '≥', value: '2026-11-21 13:58' }] },
      'metrics[0].filters[0].value: noTimestamp',
    ],
    [{ filters: [{ id: 9, field: 'at', comparison: '≥', value: '2026-11-21' }] }, undefined],
  ] as [Partial<Draft['metrics'][number]>, string | undefined][])(
    'of a metric with %j is %s',
    (change, fault) => {
      expect(wrong(withMetric(change))).toEqual(fault === undefined ? [] : [fault])
    },
  )

  test('of fields names the field: no name, a repeated one, control characters', () => {
    expect(wrong(withField(''))).toEqual(['fields[4].name: fieldName'])
    expect(wrong(withField('status'))).toEqual(['fields[4].name: fieldTwice'])
    expect(wrong(withField('a\tb'))).toEqual(['fields[4].name: fieldHidden'])
  })
})

test.each([
  ['metrics[0].group_by[1]', 'metrics', 'metrics[0].group_by'],
  ['metrics[2].filters[1].values[3]', 'metrics', 'metrics[2].filters[1].value'],
  ['fields.0.name', 'fields', 'fields[0].name'],
  ['event_time', 'time', 'event_time'],
  ['system_kind', 'name', 'system_kind'],
])('The service’s field %s belongs to the step %s, at %s', (field, step, fieldId) => {
  expect(toPlace(field)).toEqual({ step, fieldId })
})

test('An error without a field is shown above the form', () => {
  expect(toPlace('expected_revision')).toBeUndefined()
  expect(toPlace('')).toBeUndefined()
})
