import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDay, periods, type Period } from '../../formats/values/period.ts'
import { formatRange, lastPeriods, periodOfDay, periodsFrom, periodYearBefore } from './report-periods.ts'

const toDayNumber = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000

const yearBefore = (grain: Period, day: string): string | undefined => {
  const found = periodYearBefore(grain, periodOfDay(grain, toDayNumber(day)))
  return found && formatDay(found.first)
}

test.each<[Period, string, string | undefined]>([
  ['day', '2026-03-01', '2025-03-01'],
  ['day', '2025-02-28', '2024-02-28'],
  ['day', '2024-02-29', undefined],
  ['day', '2024-03-01', '2023-03-01'],
  ['month', '2024-02-01', '2023-02-01'],
  ['week', '2026-11-09', '2025-11-10'],
  // Week 1 of 2026 begins in 2025.
  ['week', '2025-12-29', '2024-12-30'],
  // Week 53 of 2026, and the week behind it.
  ['week', '2026-12-28', undefined],
  ['week', '2027-01-04', '2025-12-29'],
  ['day', '0001-05-01', undefined],
])('a year before the %s of %s is %s', (grain, day, expected) => {
  expect(yearBefore(grain, day)).toBe(expected)
})

/** The week's number and year as one would write them from ISO 8601. */
const toWeek = (day: number): [year: number, week: number] => {
  const date = Temporal.PlainDate.from(formatDay(day))
  return [date.yearOfWeek!, date.weekOfYear!]
}

test('a week a year before has the same number in the year before', () => {
  fc.assert(
    fc.property(fc.integer({ min: toDayNumber('1900-01-01'), max: toDayNumber('2200-01-01') }), (day) => {
      const week = periodOfDay('week', day)
      const before = periodYearBefore('week', week)
      const [year, number] = toWeek(week.first)
      if (before === undefined) expect(number).toBe(53)
      else expect(toWeek(before.first)).toEqual([year - 1, number])
    }),
  )
})

test('no period of the year before corresponds to two periods', () => {
  for (const grain of periods) {
    const all = periodsFrom(grain, toDayNumber('2019-06-01'), toDayNumber('2029-06-01'))
    const starts = all.flatMap((period) => periodYearBefore(grain, period)?.first ?? [])
    expect(new Set(starts).size).toBe(starts.length)
  }
})

test('periods follow each other without a gap, to the last day that can be written', () => {
  for (const grain of periods) {
    const all = periodsFrom(grain, toDayNumber('2023-12-20'), toDayNumber('2024-03-05'))
    for (const [place, { first }] of all.entries()) {
      if (place > 0) expect(first).toBe(all[place - 1]!.last + 1)
    }
    expect(all.at(-1)!.last).toBeGreaterThanOrEqual(toDayNumber('2024-03-05'))
    const end = periodsFrom(grain, toDayNumber('9999-12-01'), toDayNumber('9999-12-31')).at(-1)!
    expect(formatRange(end).end).toBe('9999-12-31')
  }
  expect(lastPeriods('month', toDayNumber('2026-01-15'), 3).map(formatRange)).toEqual([
    { start: '2025-11-01', end: '2025-11-30' },
    { start: '2025-12-01', end: '2025-12-31' },
    { start: '2026-01-01', end: '2026-01-31' },
  ])
  expect(lastPeriods('day', toDayNumber('0001-01-02'), 13)).toHaveLength(2)
})
