import { expect, test } from 'vitest'
import {
  parseSearch,
  readDay,
  readFlag,
  readOneOf,
  readText,
  readTexts,
  stringifySearch,
} from './search-params.ts'

test('A query is read and written as plain names and texts, a repeated name as a list', () => {
  expect(parseSearch('?sort=-name&label=a&label=b+c&n=007&t=true')).toEqual({
    sort: '-name',
    label: ['a', 'b c'],
    n: '007',
    t: 'true',
  })
  expect(stringifySearch({ sort: '-name', label: ['a', 'b c'], test: true })).toBe(
    '?sort=-name&label=a&label=b+c&test=true',
  )
  expect(stringifySearch({ sort: undefined, test: false, text: '', none: null })).toBe('')
  expect(parseSearch('')).toEqual({})
})

test('A name in a query is never a path into an object', () => {
  expect(Object.keys(parseSearch('__proto__=a&constructor=b'))).toContain('constructor')
  expect(({} as Record<string, unknown>)['a']).toBeUndefined()
})

test('Unknown and invalid values of a query are dropped', () => {
  const search = parseSearch(
    'source=a&source=b&grain=year&from=2026-11-21&to=2026-13-01&empty=&test=true&other=1',
  )
  expect(readText(search, 'source')).toBe('a')
  expect(readTexts(search, 'source')).toEqual(['a', 'b'])
  expect(readText(search, 'empty')).toBeUndefined()
  expect(readText(search, 'absent')).toBeUndefined()
  expect(readOneOf(search, 'grain', ['day', 'week', 'month'])).toBeUndefined()
  expect(readOneOf(parseSearch('grain=week'), 'grain', ['day', 'week', 'month'])).toBe('week')
  expect(readDay(search, 'from')).toBe('2026-11-21')
  expect(readDay(search, 'to')).toBeUndefined()
  expect(readDay(parseSearch('to=2026-02-29'), 'to')).toBeUndefined()
  expect(readDay(parseSearch('to=2028-02-29'), 'to')).toBe('2028-02-29')
  expect(readFlag(search, 'test')).toBe(true)
  expect(readFlag(search, 'other')).toBeUndefined()
})
