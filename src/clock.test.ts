import { expect, test } from 'vitest'
import { createTestClock } from './clock.ts'

test('A test clock stands still until it is moved', () => {
  const clock = createTestClock('2026-03-01T00:00:00Z')
  expect(clock.now()).toBe(Date.UTC(2026, 2, 1))
  clock.advance(1_500)
  expect(clock.now()).toBe(Date.UTC(2026, 2, 1, 0, 0, 1, 500))
  clock.set('2025-01-01T00:00:00+01:00')
  expect(new Date(clock.now()).toISOString()).toBe('2024-12-31T23:00:00.000Z')
  expect(() => clock.set('yesterday')).toThrow(TypeError)
})
