import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateOfDay, dayNumber, daysInMonth } from './calendar.ts'
import { formatDay, periodStart } from './period.ts'
import { TimeZone } from './time-zone.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'

const zones = [
  'Europe/Stockholm',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Tehran',
  'Pacific/Kwajalein',
  'Antarctica/Troll',
  'America/Havana',
  'Africa/Cairo',
  'UTC',
  'Asia/Kathmandu',
  'America/New_York',
  'Europe/Dublin',
  'Africa/Monrovia',
]
/** Days that a zone skipped altogether. */
const skippedDays: Record<string, string> = {
  'Pacific/Apia': '2011-12-30',
  'Pacific/Kwajalein': '1993-08-21',
}
const toSeconds = (text: string) => Temporal.Instant.from(text).epochMilliseconds / 1000

describe.each(zones)('the days of %s', (name) => {
  const zone = new TimeZone(name)
  const dayByTemporal = (seconds: number) =>
    Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
      .toZonedDateTimeISO(name)
      .toPlainDate()
      .toString()

  test('are those of Temporal, also around every clock change', () => {
    const around: number[] = []
    let at = Temporal.Instant.from('1880-01-01T00:00:00Z').toZonedDateTimeISO(name)
    for (let next = at.getTimeZoneTransition('next'); next !== null && around.length < 2000;) {
      for (const shift of [-90_000, -7200, -3601, -1, 0, 1, 3599, 3600, 86_400]) {
        around.push(next.epochMilliseconds / 1000 + shift)
      }
      at = next
      next = at.getTimeZoneTransition('next')
    }
    // Both ways, so that no answer depends on earlier calls.
    for (const seconds of around)
      expect(formatDay(zone.toDay(seconds)), `${seconds}`).toBe(dayByTemporal(seconds))
    const backwards = new TimeZone(name)
    for (const seconds of around.toReversed())
      expect(formatDay(backwards.toDay(seconds))).toBe(dayByTemporal(seconds))
    fc.assert(
      fc.property(fc.integer({ min: -5_000_000_000, max: 9_000_000_000 }), (seconds) => {
        expect(formatDay(zone.toDay(seconds))).toBe(dayByTemporal(seconds))
      }),
      { numRuns: madeUpCases(300) },
    )
  })

  test('begin at the first instant that the clock shows them', () => {
    fc.assert(
      fc.property(fc.integer({ min: -25_000, max: 40_000 }), (day) => {
        const seconds = zone.toMidnight(day)
        if (formatDay(day) === skippedDays[name]) return
        expect(zone.toDay(seconds)).toBe(day)
        expect(zone.toDay(seconds - 1)).toBe(formatDay(day - 1) === skippedDays[name] ? day - 2 : day - 1)
      }),
      { numRuns: madeUpCases(500) },
    )
  })
})

test('A clock change moves the instants of a day, not the day', () => {
  const zone = new TimeZone('Europe/Stockholm')
  expect(formatDay(zone.toDay(toSeconds('2026-03-28T22:59:59Z')))).toBe('2026-03-28')
  expect(formatDay(zone.toDay(toSeconds('2026-03-28T23:00:00Z')))).toBe('2026-03-29')
  expect(formatDay(zone.toDay(toSeconds('2026-03-29T21:59:59Z')))).toBe('2026-03-29')
  expect(formatDay(zone.toDay(toSeconds('2026-03-29T22:00:00Z')))).toBe('2026-03-30')
})

test('Where the clock skips midnight the day begins after the gap', () => {
  const zone = new TimeZone('America/Sao_Paulo')
  expect(zone.toMidnight(dayNumber(2018, 11, 4))).toBe(toSeconds('2018-11-04T01:00:00-02:00'))
})

test('A day that a zone skipped altogether counts as the next one', () => {
  const zone = new TimeZone('Pacific/Apia')
  expect(formatDay(zone.toDay(zone.toMidnight(dayNumber(2011, 12, 30))))).toBe('2011-12-31')
})

test('A zone that does not exist is refused', () => {
  expect(() => new TimeZone('Europe/Atlantis')).toThrow(RangeError)
})

test('Dates and days convert both ways, and periods begin as in Temporal', () => {
  fc.assert(
    fc.property(fc.integer({ min: -719_528, max: 2_932_896 }), (day) => {
      const date = Temporal.PlainDate.from('1970-01-01').add({ days: day })
      const { year, month } = date
      expect(dateOfDay(day)).toEqual({ year, month, day: date.day })
      expect(dayNumber(year, month, date.day)).toBe(day)
      expect(daysInMonth(year, month)).toBe(date.daysInMonth)
      expect(formatDay(day)).toBe(date.toString())
      expect(periodStart('day', day)).toBe(day)
      expect(formatDay(periodStart('month', day))).toBe(date.with({ day: 1 }).toString())
      if (day >= -719_162) {
        expect(formatDay(periodStart('week', day))).toBe(
          date.subtract({ days: date.dayOfWeek - 1 }).toString(),
        )
      }
    }),
    { numRuns: madeUpCases(2000) },
  )
})
