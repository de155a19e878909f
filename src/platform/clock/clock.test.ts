import { expect, test } from 'vitest'
import { createShiftedClock } from './clock.ts'
import { createTestClock } from '../../../testing/in-process/test-clock.ts'

test('a test clock does not move by itself', () => {
  const clock = createTestClock('2026-03-01T00:00:00Z')
  expect(clock.now()).toBe(Date.UTC(2026, 2, 1))
  clock.advance(1_500)
  expect(clock.now()).toBe(Date.UTC(2026, 2, 1, 0, 0, 1, 500))
  clock.set('2025-01-01T00:00:00+01:00')
  expect(new Date(clock.now()).toISOString()).toBe('2024-12-31T23:00:00.000Z')
  expect(() => clock.set('yesterday')).toThrow(TypeError)
})

test('A clock that is moved in one thread is moved in all that share it', () => {
  const machine = createTestClock('2026-03-01T00:00:00Z')
  const clock = createShiftedClock(machine)
  const shared = createShiftedClock(machine, clock.shift)
  clock.advance(90_000)
  expect(shared.now()).toBe(Date.UTC(2026, 2, 1, 0, 1, 30))
  shared.set('2025-01-01T00:00:00Z')
  machine.advance(1)
  expect(clock.now()).toBe(Date.UTC(2025, 0, 1) + 1)
})
