import { expect, test } from 'vitest'
import { formatChange } from '../../language/format-number.ts'
import { exampleReport, exampleVintage } from '../../testing/example-reports.ts'
import { createFigureColumns, sortPeriods, toSpreadsheet, whyMissing } from './figures.ts'
import { getFinding, getVintageDifference } from '../finding.ts'
import { assignColours, getReadOut, toShownSeries } from '../shown-series.ts'

const names = {
  series: ({ key }: { key: string | null }) => key ?? 'all',
  all: 'All',
  yearBefore: 'Before',
  today: 'Today',
  part: (part: string, name?: string) => (name === undefined ? part : `${name} ${part}`),
}

test('Columns are sorted by exact values, missing ones last in both directions', () => {
  const periods = ['a', 'b', 'c', 'd'].map((start) => ({ start }))
  const values = ['9007199254740993.1', null, '9007199254740993.0', '-1']
  const column = { key: 'x', name: 'x', part: 'figure', values, total: null, compared: null } as const
  const columns = [{ ...column, traced: undefined, wideOnly: false, kind: 'series' as const }]
  expect(sortPeriods(periods, columns, 'x')).toEqual([3, 2, 0, 1])
  expect(sortPeriods(periods, columns, '-x')).toEqual([0, 2, 3, 1])
  expect(sortPeriods(periods, columns)).toEqual([3, 2, 1, 0])
  expect(sortPeriods(periods, columns, 'period')).toEqual([0, 1, 2, 3])
})

test('A copied value is no formula, and has all digits and the language’s decimal mark', () => {
  const report = exampleReport({
    series: [{ key: '=1+1', values: ['1.10', null], row_total: null, year_before: null }],
    periods: exampleReport().periods.slice(0, 2),
    totals: ['1.10', null],
    year_before: null,
  })
  const columns = createFigureColumns(report, toShownSeries(report), names)
  expect(
    toSpreadsheet(report, columns, [0, 1], ',', { period: 'Månad', unfinished: 'Pågår', yes: 'ja' }),
  ).toBe(`"Månad"\t"'=1+1"\t"All"\n2025-12-01\t1,10\t1,10\n2026-01-01\t\t`)
})

test('Changes and shares are computed exactly, and where they cannot be, the column says why', () => {
  const values = ['1.50', '5', null, '2', '0.1']
  const base = ['0.50', '0.00', '4', '-1', null]
  const year_before = { values: base, row_total: '3.50', compared_total: '8.50' }
  const report = exampleReport({
    series: [{ key: 'SE', values, row_total: '8.6', year_before }],
    periods: exampleReport().periods.slice(0, 5),
    totals: ['3', '5', null, '0', '0.3'],
  })
  const columns = createFigureColumns(report, toShownSeries(report), names, ['change', 'percent', 'share'])
  const of = (key: string) => columns.find((column) => column.key === key)!
  expect(of('change~.SE')).toMatchObject({ values: ['1.00', '5.00', null, '3', null], compared: '5.00' })
  expect(of('percent~.SE')).toMatchObject({ values: ['200.0', null, null, null, null], compared: '142.9' })
  expect(of('share~.SE').values).toEqual(['50.0', '100.0', null, null, '33.3'])
  expect([1, 2, 3, 4].map((index) => whyMissing(of('percent~.SE'), index))).toEqual([
    'zero',
    'value',
    'negative',
    'base',
  ])
  expect(whyMissing(of('share~.SE'), 3)).toBe('zero')
})

/** On a phone. */
function listShownNames(report: ReturnType<typeof exampleReport>) {
  return createFigureColumns(report, toShownSeries(report), names).flatMap(({ name, wideOnly }) =>
    wideOnly ? [] : [name],
  )
}

test('As known at an instant, a phone shows then and now side by side, without the year before', () => {
  expect(listShownNames(exampleReport())).toEqual(['All', 'Before'])
  expect(listShownNames(exampleVintage())).toEqual(['All', 'Today'])
})

test('A report’s finding is about its last finished period', () => {
  const report = exampleReport()
  const found = getFinding(report, toShownSeries(report), (value, base) => formatChange('en', value, base))
  expect(found).toMatchObject({
    period: 10,
    value: '1298111.75',
    previous: { change: { text: '8.5%' } },
    yearBefore: { start: '2025-10-01', change: { text: '15.3%' } },
    largest: { key: 'Sweden', percent: 53 },
  })
})

/** For any comparison. */
function formatNothing(): undefined {}

test('A report without totals, or with nothing finished, has no finding', () => {
  const none = exampleReport({ totals: null })
  expect(getFinding(none, toShownSeries(none), formatNothing)).toBe(undefined)
  const going = exampleReport({ periods: exampleReport().periods.slice(11), totals: ['1'], series: [] })
  expect(getFinding(going, [], formatNothing)).toBe(undefined)
  expect(getReadOut(going)).toBe(0)
})

test('Later changes are summed exactly', () => {
  expect(getVintageDifference(exampleVintage())).toEqual({
    changed: 1,
    by: '35242.75',
    unknown: 2,
  })
})

test('A label’s value keeps its colour in every range, and visible colours are distinct', () => {
  const first = assignColours('x', ['a', 'b', 'c'])
  expect(new Set(first.values()).size).toBe(3)
  expect(assignColours('x', ['c', 'a']).get('c')).toBe(first.get('c'))
  const others = assignColours('x', ['d', 'e', 'f', 'g', 'h', 'i', 'j', 'a'])
  expect(others.get('a')).toBe(first.get('a'))
  expect(new Set(others.values()).size).toBe(8)
})

test('A label’s value has the same colour on every visit, in any order', () => {
  const countries = ['Sweden', 'Norway', 'Finland', 'Denmark', 'Germany', 'Poland', 'France', 'Spain']
  const first = assignColours('first visit', countries)
  expect(new Set(first.values()).size).toBe(8)
  expect([...first.keys()]).toEqual(countries)
  const another = assignColours('another visit', countries.toReversed())
  for (const country of countries) expect(another.get(country), country).toBe(first.get(country))
  // A single one has its own colour, the same for everyone.
  expect(assignColours('a third', ['Sweden']).get('Sweden')).toBe(
    assignColours('a fourth', ['Sweden']).get('Sweden'),
  )
})
