import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../ui/search-params.ts'
import { type FigureQuery, parseFigureSearch, toFigureQuery, toFigureSearch } from './figure-address.ts'

test('a figure is the same after it was in an address, rows without a label included', () => {
  const query: FigureQuery = {
    metric: 'revenue',
    period_start: '2026-02-01',
    grain: 'month',
    'label.country': ['SE', ''],
    'label.a.b': ['x&y='],
    'not.branch': [''],
    'not.country': ['NO', 'DK'],
  }
  const address = stringifySearch({ ...toFigureSearch(query) })
  expect(toFigureQuery(parseFigureSearch(parseSearch(address)))).toEqual(query)
})

test('an address without a metric or a day names no figure', () => {
  expect(toFigureQuery(parseFigureSearch(parseSearch('?metric=revenue&period=2026-02-31')))).toBe(undefined)
  expect(toFigureQuery(parseFigureSearch(parseSearch('?period=2026-02-01')))).toBe(undefined)
})
