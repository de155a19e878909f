import { expect, test } from 'vitest'
import { measureGrowth } from '../../../../testing/cases/growth.ts'
import { readMediaType } from './media-type.ts'

test.each([
  ['application/json', 'application/json', true],
  ['Text/CSV;header=present', 'text/csv', true],
  ['text/csv; header=present; charset=UTF-8', 'text/csv', true],
  ['text/csv;charset="utf8";header=absent', 'text/csv', true],
  [' application/json ; charset = utf-8 ;', 'application/json', true],
  ['text/csv; charset=iso-8859-1', 'text/csv', false],
  ['text/csv; charset=utf-8; charset=latin1', 'text/csv', false],
  ['text/csv; charset="utf-8', 'text/csv', false],
  ['text/csv; x="; charset=utf-16"', 'text/csv', false],
  ['text/csv; charset', 'text/csv', false],
])('%j is %s, in UTF-8: %s', (header, essence, isUtf8) => {
  expect(readMediaType(header)).toEqual({ essence, isUtf8 })
})

test.each([
  undefined,
  '',
  'csv',
  'text/',
  '/csv',
  'text/csv charset=utf-8',
  'text csv/x',
  'text/csv, text/csv',
])('%j is no media type', (header) => {
  expect(readMediaType(header)).toBeUndefined()
})

test('A header of nothing but spaces and semicolons takes its time only', () => {
  for (const [count, unit] of [
    [200, `charset${' '.repeat(100)};`],
    [20_000, ' '],
  ] as const) {
    const growth = measureGrowth(count, (size) => {
      const header = `text/csv;${unit.repeat(size)}`
      return () => readMediaType(header)
    })
    expect(growth).toBeLessThan(3)
  }
})
