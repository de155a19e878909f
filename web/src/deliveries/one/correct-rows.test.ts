import { expect, test } from 'vitest'
import type { DeliveryRows } from '../delivery-queries.ts'
import { correctRows } from './correct-rows.ts'

const fields: DeliveryRows['fields'] = [
  { name: 'at', type: 'timestamp', personal: false },
  { name: 'customer', type: 'text', personal: true },
  { name: 'amount', type: 'number', personal: false },
]

type Row = DeliveryRows['rows'][number]

function refused(
  values: Row['values'],
  code: NonNullable<Row['refusal']>['code'],
  field: string | null,
): Row {
  return { row: 4, line: null, values, cells: null, refusal: { field, code, reason: '' } }
}

test('A refused value is corrected, a personal one is left to fill in, a missing one stays missing', () => {
  const row = refused(
    [{ text: '2026-11-21' }, { masked: true }, { text: '1 249,00' }],
    'number_malformed',
    'amount',
  )
  expect(correctRows({ fields, rows: [row, { ...row, refusal: null }] }, 'Europe/Stockholm')).toEqual({
    rows: [{ at: '2026-11-21', customer: 'FILL IN', amount: '1249.00' }],
    corrected: 1,
    toFill: ['customer'],
    leftOut: 0,
  })
})

test('Ambiguous values are never guessed', () => {
  const rows = [
    refused([null, null, { text: '1' }], 'event_time_missing', 'at'),
    refused([{ text: '2026-11-21' }, null, { text: 'many' }], 'number_malformed', 'amount'),
    // A truncated value, and one with bytes that are not text.
    refused([{ text: 'x', characters: 20_000 }, null, null], 'text_too_long', 'at'),
    refused([{ text: '\uFFFD', broken: true }, null, { text: '1,249' }], 'number_malformed', 'amount'),
    refused(null, 'cells_differ', null),
  ]
  const {
    rows: corrected,
    corrected: count,
    toFill,
    leftOut,
  } = correctRows({ fields, rows }, 'Europe/Stockholm')
  expect(corrected).toEqual([
    { at: 'FILL IN', amount: '1' },
    { at: '2026-11-21', amount: 'FILL IN' },
    { at: 'FILL IN' },
    { at: 'FILL IN', amount: 'FILL IN' },
  ])
  expect([count, toFill, leftOut]).toEqual([0, ['at', 'amount'], 1])
})
