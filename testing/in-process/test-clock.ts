import { toMs, type TestClock } from '../../src/platform/clock/clock.ts'

/** A clock that moves only when a test moves it. */
export function createTestClock(start: number | string = '2026-01-15T12:00:00Z'): TestClock {
  let nowMs = toMs(start)
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += Math.trunc(ms)
    },
    set: (instant) => {
      nowMs = toMs(instant)
    },
  }
}
