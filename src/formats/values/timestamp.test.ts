import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { twoDigits } from './period.ts'
import { compareInstants, formatEpochSeconds, formatInstant, parseTimestamp } from './timestamp.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'

const shown = (text: string) => {
  const read = parseTimestamp(text)
  if (typeof read === 'string') return read
  return read.kind === 'date' ? read.day : formatInstant(read.instant)
}

const seconds = (text: string) => {
  const read = parseTimestamp(text)
  return typeof read === 'object' && read.kind === 'instant' ? formatEpochSeconds(read.instant) : undefined
}

describe('a timestamp', () => {
  test('is RFC 3339 with an offset, or a date alone', () => {
    const examples = {
      '2026-01-05T10:00:00Z': '2026-01-05T10:00:00Z',
      '2026-01-05t10:00:00z': '2026-01-05T10:00:00Z',
      '2026-01-05 10:00:00+01:00': '2026-01-05T09:00:00Z',
      '2026-01-01T00:30:00.250+01:00': '2025-12-31T23:30:00.25Z',
      '2026-01-05T10:00:00-00:00': '2026-01-05T10:00:00Z',
      '2024-02-29T23:59:59.999999999999-23:59': '2024-03-01T23:58:59.999999999999Z',
      '0000-01-01T00:00:00Z': '0000-01-01T00:00:00Z',
      '2026-01-05': 20_458,
      '1970-01-01': 0,
      '0000-02-29': -719_469,
    }
    for (const [text, result] of Object.entries(examples)) expect(shown(text), text).toBe(result)
  })

  test('reads a leap second as the next second, where one can be', () => {
    expect(shown('2016-12-31T23:59:60Z')).toBe('2017-01-01T00:00:00Z')
    expect(shown('2017-01-01T00:59:60.5+01:00')).toBe('2017-01-01T00:00:00.5Z')
    expect(shown('1990-12-31T15:59:60-08:00')).toBe('1991-01-01T00:00:00Z')
    expect(shown('2016-12-31T22:59:60Z')).toBe('no_such_time')
    expect(shown('2016-12-31T23:59:60+01:00')).toBe('no_such_time')
    expect(shown('2016-12-31T23:59:61Z')).toBe('no_such_time')
  })

  test('without an offset, or of a day or time that does not exist, is refused', () => {
    expect(shown('2026-01-05T10:00:00')).toBe('no_offset')
    expect(shown('2026-01-05 10:00:00.5')).toBe('no_offset')
    for (const text of [
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2100-02-29T00:00:00Z',
      '2026-04-31',
    ]) {
      expect(shown(text), text).toBe('no_such_day')
    }
    for (const text of [
      '2026-01-05T24:00:00Z',
      '2026-01-05T10:60:00Z',
      '2026-01-05T10:00:00+24:00',
      '2026-01-05T10:00:00+01:60',
    ]) {
      expect(shown(text), text).toBe('no_such_time')
    }
    for (const text of [
      '',
      '2026-1-5',
      '20260105',
      '2026-01-05T',
      '2026-01-05T10:00Z',
      '2026-01-05T10:00:00.Z',
      '2026-01-05T10:00:00,5Z',
      '2026-01-05T10:00:00+0100',
      '2026-01-05T10:00:00+01',
      ' 2026-01-05',
      '2026-01-05Z',
      '2026-01-05_10:00:00Z',
      '12026-01-05',
      '-2026-01-05',
      '2026/01/05',
      '1767607200',
      '2026-01-05T10:00:00 Z',
      '2026-01-05T10:00:00Zx',
    ]) {
      expect(shown(text), text).toBe('malformed')
    }
  })

  test('has exact seconds since the epoch, also before it', () => {
    expect(seconds('1970-01-01T00:00:01.50Z')).toBe('1.5')
    expect(seconds('1969-12-31T23:59:58.25Z')).toBe('-1.75')
    expect(seconds('1969-12-31T23:59:59.999Z')).toBe('-0.001')
    expect(seconds('2026-01-05T10:00:00Z')).toBe('1767607200')
  })
})

test('Any instant written with any offset is the one that Temporal reads', () => {
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  const nanoseconds = fc.bigInt({ min: -(10n ** 18n) * 60n, max: 10n ** 18n * 200n })
  fc.assert(
    fc.property(nanoseconds, offset, nanoseconds, (first, minutes, second) => {
      const sign = minutes < 0 ? '-' : '+'
      const zone = `${sign}${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`
      const instant = new Temporal.Instant(first)
      const read = parseTimestamp(instant.toString({ timeZone: zone }))
      const other = parseTimestamp(new Temporal.Instant(second).toString())
      if (typeof read === 'string' || read.kind !== 'instant') throw new Error('not read')
      if (typeof other === 'string' || other.kind !== 'instant') throw new Error('not read')
      expect(formatInstant(read.instant)).toBe(instant.toString())
      expect(Math.sign(compareInstants(read.instant, other.instant))).toBe(
        first < second ? -1 : first > second ? 1 : 0,
      )
    }),
    { numRuns: madeUpCases(1000) },
  )
})
