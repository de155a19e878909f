import { expect, test } from 'vitest'
import { parseTimestamp } from '../../../../src/formats/values/timestamp.ts'
import { correctValue } from './correct-value.ts'

const zone = 'Europe/Stockholm'

test.each([
  ['1 249,00', '1249.00'],
  ['1\u00A0249', '1249'],
  ['12,5', '12.5'],
  ['1.249,00', '1249.00'],
  ['1,249.00', '1249.00'],
  ['1,249,000', '1249000'],
  ['\u221254 774,00', '-54774.00'],
  ['12345678901234567890123456789012345,67', '12345678901234567890123456789012345.67'],
  // Ambiguous: thousands or decimals.
  ['1,249', undefined],
  ['1.249,00 kr', undefined],
  ['NaN', undefined],
  ['', undefined],
])('The number %s is corrected to %s, digit by digit', (sent, corrected) => {
  expect(correctValue('number_malformed', { text: sent }, zone)).toBe(corrected)
})

test.each([
  ['2026-11-21 13:58', '2026-11-21T13:58:00+01:00'],
  ['2026-07-21T13:58:09', '2026-07-21T13:58:09+02:00'],
  ['2026-07-21T13:58:09,25', '2026-07-21T13:58:09.25+02:00'],
  ['2026-11-21T13:58Z', '2026-11-21T13:58:00Z'],
  ['2026-11-21 13:58:00 +0100', '2026-11-21T13:58:00+01:00'],
  ['2026/11/21', '2026-11-21'],
  ['20261121', '2026-11-21'],
  ['1763729880', '2025-11-21T12:58:00Z'],
  ['1763729880123', '2025-11-21T12:58:00.123Z'],
  ['2026-02-30 13:58', undefined],
  ['2026-11-21 25:00', undefined],
  ['21/11/2026', undefined],
  ['yesterday', undefined],
])('The time %s is corrected to %s', (sent, corrected) => {
  expect(correctValue('timestamp_no_offset', { text: sent }, zone)).toBe(corrected)
  // As the service reads it.
  if (corrected !== undefined) expect(parseTimestamp(corrected)).toBeTypeOf('object')
})

test('Yes and no become true and false, in English and in Swedish', () => {
  expect(['yes', 'Ja', '1'].map((text) => correctValue('bool_malformed', { text }, zone))).toEqual([
    'true',
    'true',
    'true',
  ])
  expect(['NO', 'nej', '0'].map((text) => correctValue('bool_malformed', { text }, zone))).toEqual([
    'false',
    'false',
    'false',
  ])
  expect(correctValue('bool_malformed', { text: 'perhaps' }, zone)).toBeUndefined()
})

test('Other refusals are left for a person to correct', () => {
  expect(correctValue('label_too_long', { text: '1 249,00' }, zone)).toBeUndefined()
})
