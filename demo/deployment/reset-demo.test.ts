import { expect, test } from 'vitest'
import { nextTimeOfDay } from './reset-demo.ts'

const next = (now: string): string =>
  new Date(nextTimeOfDay('03:00', Date.parse(now), 'Europe/Stockholm')).toISOString()

test('the next reset is at that time of day, also in nights of 23 and of 25 hours', () => {
  expect(next('2026-06-01T00:59:59Z')).toBe('2026-06-01T01:00:00.000Z')
  expect(next('2026-06-01T01:00:00Z')).toBe('2026-06-02T01:00:00.000Z')
  expect(next('2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  expect(next('2026-10-24T12:00:00Z')).toBe('2026-10-25T02:00:00.000Z')
})
