import { expect, test } from 'vitest'
import {
  addDays,
  formatDay,
  formatDayRange,
  formatPeriod,
  formatPeriodShort,
  formatTick,
  toIsoWeek,
} from './format-day.ts'
import {
  dayAt,
  formatAgo,
  formatAhead,
  formatInstant,
  formatInstantDay,
  formatLength,
  formatNear,
  formatRhythm,
  formatTime,
} from './format-instant.ts'
import { formatBytes, formatChange, formatCount, formatNumber, formatPercent } from './format-number.ts'

const zone = 'Europe/Stockholm'

test('A number keeps all of its digits, grouped as in the language', () => {
  expect(formatNumber('en', '1298111.75')).toBe('1,298,111.75')
  expect(formatNumber('sv', '1298111.75')).toBe('1\u00A0298\u00A0111,75')
  expect(formatNumber('en', '-54774.00')).toBe('\u221254,774.00')
  expect(formatNumber('sv', '4987')).toBe('4\u00A0987')
  expect(formatNumber('en', '0')).toBe('0')
  expect(formatNumber('en', '999')).toBe('999')
  expect(formatNumber('en', '0.00000000000000000000000000000000000001')).toBe(
    '0.00000000000000000000000000000000000001',
  )
  expect(formatNumber('en', '12345678901234567890123456789012345678')).toBe(
    '12,345,678,901,234,567,890,123,456,789,012,345,678',
  )
  expect(formatNumber('en', '35242.75', { sign: true })).toBe('+35,242.75')
  expect(formatNumber('en', '0.00', { sign: true })).toBe('0.00')
  expect(formatNumber('en', 'not a number')).toBe('not a number')
  expect(formatCount('en', 21480)).toBe('21,480')
  expect(formatPercent('sv', '8.5')).toBe('8,5\u00A0%')
})

test('A change is in per cent of a value above zero, and otherwise the difference', () => {
  expect(formatChange('en', '1298111.75', '1196416.50')).toEqual({ direction: 'up', text: '8.5%' })
  expect(formatChange('sv', '90', '100')).toEqual({ direction: 'down', text: '10,0\u00A0%' })
  expect(formatChange('en', '-54774.00', '-58001.00')).toEqual({ direction: 'up', text: '3,227.00' })
  expect(formatChange('en', '-54774.00', '-48112.00')).toEqual({ direction: 'down', text: '6,662.00' })
  expect(formatChange('en', '5', '0')).toEqual({ direction: 'up', text: '5' })
  expect(formatChange('en', '5', '5')).toEqual({ direction: 'same', text: '0.0%' })
  expect(formatChange('en', '5', null)).toBeUndefined()
  expect(formatChange('en', null, '5')).toBeUndefined()
})

test('Days, weeks and months are written as in each language', () => {
  expect(formatDay('en', '2026-10-10')).toBe('10 Oct 2026')
  expect(formatDay('sv', '2026-10-10')).toBe('10 okt. 2026')
  expect(formatDay('en', '2026-09-01')).toBe('1 Sep 2026')
  expect(formatDay('sv', '2026-03-01', 'long')).toBe('1 mars 2026')
  expect(formatPeriod('en', '2026-11-09', 'week', 2026)).toBe('Week 46, 9–15 Nov')
  expect(formatPeriod('sv', '2026-11-09', 'week', 2026)).toBe('vecka 46, 9–15 nov.')
  expect(formatPeriod('en', '2025-11-10', 'week', 2026)).toBe('Week 46, 10–16 Nov 2025')
  expect(formatPeriod('en', '2026-09-28', 'week', 2026)).toBe('Week 40, 28 Sep–4 Oct')
  expect(formatPeriod('en', '2026-10-01', 'month')).toBe('October 2026')
  expect(formatPeriod('sv', '2026-10-01', 'month')).toBe('oktober 2026')
  expect(formatPeriodShort('sv', '2026-11-09', 'week')).toBe('vecka 46')
  expect(formatPeriodShort('en', '2026-09-01', 'month')).toBe('September')
  expect(formatTick('sv', '2026-10-10', 'day')).toBe('10 okt')
  expect(formatTick('en', '2026-10-01', 'month')).toBe('Oct')
  expect(formatDayRange('en', '2025-12-29', '2026-01-04')).toBe('29 Dec 2025–4 Jan 2026')
  expect(formatDayRange('en', '2026-11-15', '2026-11-15', 2026)).toBe('15 Nov')
})

test('Week numbers are those of ISO 8601, also around New Year', () => {
  expect(toIsoWeek('2026-01-01')).toEqual({ year: 2026, week: 1 })
  expect(toIsoWeek('2026-12-31')).toEqual({ year: 2026, week: 53 })
  expect(toIsoWeek('2027-01-03')).toEqual({ year: 2026, week: 53 })
  expect(toIsoWeek('2027-01-04')).toEqual({ year: 2027, week: 1 })
  expect(toIsoWeek('2025-12-29')).toEqual({ year: 2026, week: 1 })
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
})

test('Instants are in the time zone, across clock changes', () => {
  expect(formatInstant('en', '2026-10-10T16:00:00Z', zone)).toBe('10 Oct 2026, 18:00')
  expect(formatInstant('sv', '2026-10-10T16:00:00Z', zone)).toBe('10 okt. 2026 18:00')
  expect(formatInstant('en', '2026-10-25T00:30:00Z', zone)).toBe('25 Oct 2026, 02:30')
  expect(formatInstant('en', '2026-10-25T01:30:00Z', zone)).toBe('25 Oct 2026, 02:30')
  expect(formatInstantDay('en', '2026-12-31T23:30:00Z', zone)).toBe('1 January 2027')
  expect(dayAt('2026-12-31T22:59:59Z', zone)).toBe('2026-12-31')
  expect(formatTime('2026-11-21T13:03:12Z', zone, { seconds: true })).toBe('14:03:12')
  expect(formatTime('2026-11-21T23:00:00Z', zone)).toBe('00:00')
})

test('Recent instants are named by their day and by their age', () => {
  const now = Date.parse('2026-11-21T13:07:00Z')
  expect(formatNear('en', '2026-11-21T13:03:00Z', now, zone)).toBe('Today, 14:03')
  expect(formatNear('sv', '2026-11-21T13:03:00Z', now, zone)).toBe('I dag 14:03')
  expect(formatNear('sv', '2026-11-20T05:00:00Z', now, zone)).toBe('I går 06:00')
  expect(formatNear('en', '2026-11-16T06:02:00Z', now, zone)).toBe('16 Nov 2026, 07:02')
  expect(formatAgo('en', '2026-11-21T13:03:00Z', now)).toBe('4 minutes ago')
  expect(formatAgo('sv', '2026-11-21T13:03:00Z', now)).toBe('för 4 minuter sedan')
  expect(formatAgo('en', '2026-11-18T12:00:00Z', now)).toBe('3 days ago')
  expect(formatAgo('sv', '2026-11-20T12:00:00Z', now)).toBe('för 1 dag sedan')
  expect(formatAgo('en', '2026-11-21T13:06:30Z', now)).toBe('just now')
  // The service's clock may be ahead of the device's.
  expect(formatAgo('sv', '2026-11-21T13:09:00Z', now)).toBe('nyss')
  expect(formatLength('en', 18 * 3_600_000)).toBe('18 hours')
  expect(formatLength('sv', 86_400_000)).toBe('1 dygn')
  expect(formatAhead('en', 0, 'day')).toBe('today')
  expect(formatAhead('sv', 12, 'day')).toBe('om 12 dagar')
  expect(formatAhead('en', 1, 'second')).toBe('in 1 second')
})

test('A rhythm is named after the nearest usual one', () => {
  expect(formatRhythm('en', 900)).toBe('every 15 minutes')
  expect(formatRhythm('sv', 900)).toBe('varje kvart')
  expect(formatRhythm('en', 86_000)).toBe('every day')
  expect(formatRhythm('sv', 7 * 86_400)).toBe('varje vecka')
  expect(formatRhythm('en', 15 * 86_400)).toBe('twice a month')
  expect(formatRhythm('en', 1_000 * 86_400)).toBe('every year')
})

test('A size is in the largest unit that fits', () => {
  expect(formatBytes('en', 0)).toBe('0\u00A0B')
  expect(formatBytes('en', 999)).toBe('999\u00A0B')
  expect(formatBytes('sv', 1_250)).toBe('1,3\u00A0kB')
  expect(formatBytes('en', 8_388_608)).toBe('8.4\u00A0MB')
})
