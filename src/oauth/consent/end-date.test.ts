import { expect, test } from 'vitest'
import { lifetimeMs, toEndDate, toEndMs } from './end-date.ts'

const ms = (instant: string): number => Date.parse(instant)

test('a consent ends 90 days after its signing', () => {
  const signedAt = ms('2026-01-15T12:00:00Z')
  expect(toEndDate(signedAt + lifetimeMs)).toBe('2026-04-15')
  expect(toEndMs(signedAt, '2026-04-15')).toBe(ms('2026-04-15T12:00:00Z'))
})

test('the date is in Swedish time, also when it differs from UTC', () => {
  expect(toEndDate(ms('2026-04-15T22:30:00Z'))).toBe('2026-04-16')
  expect(toEndDate(ms('2026-01-15T23:30:00Z'))).toBe('2026-01-16')
})

test('it never ends after the date that was signed', () => {
  // Read before midnight, signed after it.
  const endDate = toEndDate(ms('2026-01-15T21:55:00Z') + lifetimeMs)
  expect(endDate).toBe('2026-04-15')
  expect(toEndMs(ms('2026-01-15T22:05:00Z'), endDate)).toBe(ms('2026-04-15T22:00:00Z'))
})
