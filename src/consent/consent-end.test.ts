import { expect, test } from 'vitest'
import { consentEnd, endDateOf, endInstantFor } from './consent-end.ts'

const ms = (instant: string): number => Date.parse(instant)

test('a consent ends 90 days after its signing', () => {
  const signedAt = ms('2026-01-15T12:00:00Z')
  expect(consentEnd(signedAt)).toBe(ms('2026-04-15T12:00:00Z'))
  expect(endDateOf(consentEnd(signedAt))).toBe('2026-04-15')
  expect(endInstantFor(signedAt, '2026-04-15')).toBe(ms('2026-04-15T12:00:00Z'))
})

test('the date is the Swedish one, also when it is another one in Greenwich', () => {
  expect(endDateOf(ms('2026-04-15T22:30:00Z'))).toBe('2026-04-16')
  expect(endDateOf(ms('2026-01-15T23:30:00Z'))).toBe('2026-01-16')
})

test('it never ends after the date that was signed', () => {
  // Read before midnight, signed after it.
  const endDate = endDateOf(consentEnd(ms('2026-01-15T21:55:00Z')))
  expect(endDate).toBe('2026-04-15')
  expect(endInstantFor(ms('2026-01-15T22:05:00Z'), endDate)).toBe(ms('2026-04-15T22:00:00Z'))
})
