import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDecimal, parseDecimal } from '../../formats/values/decimal.ts'
import { TimeZone } from '../../formats/values/time-zone.ts'
import { suggestValue } from './suggest-value.ts'

const stockholm = new TimeZone('Europe/Stockholm')
const number = (text: string) => suggestValue('number', text, stockholm)
const timestamp = (text: string) => suggestValue('timestamp', text, stockholm)

test.each([
  ['1 249,00', '1249.00'],
  ['1\u00a0249,00', '1249.00'],
  ['1\u202f249', '1249'],
  ['12,5', '12.5'],
  ['1.249,00', '1249.00'],
  ['1,249.00', '1249.00'],
  ["1'249.00", '1249.00'],
  ['1.234.567', '1234567'],
  ['−54 774,00', '-54774.00'],
  ['-1 249', '-1249'],
  [' 7 ', '7'],
  ['1 249,00 kr', '1249.00'],
  ['SEK 100', '100'],
  ['€12.50', '12.50'],
])('The number %s is suggested as %s', (text, suggested) => {
  expect(number(text)).toBe(suggested)
})

test('A number that could be two is not suggested, nor what is none', () => {
  for (const text of [
    '1,249',
    '1.249',
    'n/a',
    '12 34',
    '1,2,3',
    '--5',
    '',
    ' ',
    '1 249,00 m',
    '9'.repeat(100),
  ]) {
    expect(number(text), text).toBeUndefined()
  }
})

test('A whole number with spaces between its groups is the number, however long', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1_000n, max: 10n ** 20n }), fc.nat(99), (whole, decimals) => {
      const grouped = String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ' ')
      const read = parseDecimal(number(`${grouped},${String(decimals).padStart(2, '0')}`)!)
      expect(read).not.toBeTypeOf('string')
      expect(formatDecimal(read as never).split('.')[0]).toBe(String(whole))
    }),
  )
})

test('A time without an offset gets that of the zone, in summer and in winter', () => {
  expect(timestamp('2026-11-21 13:58')).toBe('2026-11-21T13:58:00+01:00')
  expect(timestamp('2010-07-01 08:26:00')).toBe('2010-07-01T08:26:00+02:00')
  expect(timestamp('2026/1/5 8:05:09.250')).toBe('2026-01-05T08:05:09.250+01:00')
  expect(timestamp('20261121')).toBe('2026-11-21')
  expect(timestamp('2026/11/21')).toBe('2026-11-21')
})

test('A day of which the month is not sure, or that does not exist, is not suggested', () => {
  for (const text of [
    '03/04/2026',
    '21.11.2026',
    '2026-02-30 10:00',
    '2026-13-01 10:00',
    '2026-01-01 25:00',
    'today',
  ]) {
    expect(timestamp(text), text).toBeUndefined()
  }
})

test('Yes and no are suggested in the words that are read', () => {
  expect(suggestValue('bool', 'Ja', stockholm)).toBe('true')
  expect(suggestValue('bool', 'no', stockholm)).toBe('false')
  expect(suggestValue('bool', '1', stockholm)).toBeUndefined()
  expect(suggestValue('text', 'anything', stockholm)).toBeUndefined()
})
