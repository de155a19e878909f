import { expect, test } from 'vitest'
import { longDate } from './long-date.ts'

test('a date is written with its month in words, in either language', () => {
  expect(longDate('2027-09-01', 'en')).toBe('1 September 2027')
  expect(longDate('2027-09-01', 'sv')).toBe('1 september 2027')
  expect(longDate('2028-02-29', 'sv')).toBe('29 februari 2028')
})
