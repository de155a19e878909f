import { describe, expect, test } from 'vitest'
import { instantAt, wallClockAt } from '../company/zoned-time.ts'
import { parseSearch, stringifySearch } from '../ui/search-params.ts'
import { toRange } from './range.ts'
import { toReportRequest } from './report-queries.ts'
import { getFilters, parseReportSearch, withFilter, withoutFilters } from './report-search.ts'

const id = { company_id: 'c', source_id: 's', metric: 'revenue' }

describe('An address', () => {
  test('is written as it was read, including rows without a label', () => {
    const query =
      '?grain=week&range=90d&by=country&without=plan&year=no&sort=-.SE&period=2026-10-05&where.country=SE&where.country=NO'
    const read = parseReportSearch(parseSearch(query))
    expect(getFilters(read)).toEqual({ country: ['SE', 'NO'], plan: [''] })
    expect(parseReportSearch(parseSearch(stringifySearch({ ...read })))).toEqual(read)
  })

  test('with invalid values is read without them', () => {
    expect(
      parseReportSearch(
        parseSearch('?grain=year&range=ever&from=2026-02-30&to=x&as_of=then&year=yes&trace=1'),
      ),
    ).toEqual({})
    expect(parseReportSearch(parseSearch('?from=2026-03-02&to=2026-03-01'))).toEqual({})
  })

  test('drops a filter with its last value', () => {
    const one = withFilter({}, 'country', ['SE', ''])
    expect(getFilters(one)).toEqual({ country: ['SE', ''] })
    expect(getFilters(withFilter(one, 'country', []))).toEqual({})
    expect(getFilters(withoutFilters(withFilter(one, 'plan', ['gold'])))).toEqual({})
  })

  test('requests its days with an exclusive end', () => {
    const search = parseReportSearch(
      parseSearch('?from=2026-01-01&to=2026-03-31&where.country=SE&without=country'),
    )
    expect(toReportRequest(id, search, '2026-11-21', 1).query).toEqual({
      from: '2026-01-01',
      to: '2026-04-01',
      compare: 'year',
      'where.country': ['SE', ''],
    })
  })
})

test.each([
  ['30d', '2026-10-23', '2026-11-21'],
  ['12m', '2025-12-01', '2026-11-21'],
  ['24m', '2024-12-01', '2026-11-21'],
  ['year', '2026-01-01', '2026-11-21'],
  ['last-year', '2025-01-01', '2025-12-31'],
  ['month', '2026-11-01', '2026-11-21'],
  ['last-month', '2026-10-01', '2026-10-31'],
  ['quarter', '2026-10-01', '2026-11-21'],
  ['last-quarter', '2026-07-01', '2026-09-30'],
  ['fiscal', '2026-05-01', '2026-11-21'],
  ['last-fiscal', '2025-05-01', '2026-04-30'],
] as const)('%s is from %s to %s', (name, first, last) => {
  expect(toRange(name, '2026-11-21', 5)).toEqual({ first, last })
})

test('A fiscal year that begins in a later month began last year; the last month of January is December', () => {
  expect(toRange('fiscal', '2026-02-28', 5)).toEqual({ first: '2025-05-01', last: '2026-02-28' })
  expect(toRange('fiscal', '2026-05-01', 5)).toEqual({ first: '2026-05-01', last: '2026-05-01' })
  expect(toRange('last-fiscal', '2026-01-15', 1)).toEqual({ first: '2025-01-01', last: '2025-12-31' })
  expect(toRange('last-month', '2026-01-15', 1)).toEqual({ first: '2025-12-01', last: '2025-12-31' })
  expect(toRange('last-quarter', '2026-01-15', 1)).toEqual({ first: '2025-10-01', last: '2025-12-31' })
})

test.each([
  ['2026-10-10T18:00', 'Europe/Stockholm', '2026-10-10T16:00:00.000Z'],
  ['2026-01-10T18:00', 'Europe/Stockholm', '2026-01-10T17:00:00.000Z'],
  // A time that occurs twice means the first; a skipped one is later.
  ['2026-10-25T02:30', 'Europe/Stockholm', '2026-10-25T00:30:00.000Z'],
  ['2026-03-29T02:30', 'Europe/Stockholm', '2026-03-29T01:30:00.000Z'],
  ['2026-11-21T12:00', 'Pacific/Kiritimati', '2026-11-20T22:00:00.000Z'],
])('At %s in %s it is %s', (wall, zone, instant) => {
  expect(instantAt(wall, zone)).toBe(instant)
  if (wall !== '2026-03-29T02:30') expect(wallClockAt(Date.parse(instant), zone)).toBe(`${wall}:00`)
})

test('An invalid day or time gives no instant', () => {
  expect(instantAt('', 'Europe/Stockholm')).toBe(undefined)
})
