import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { proveTime, sweepGapMsMax, sweepProofMs, type TimeProof } from './prove-time.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.parse('2026-01-15T12:00:00Z')
const proven: TimeProof = { provenMs: start, checkedMs: start, agreedForMs: 0 }

/** Looks once a minute. */
const look = (known: TimeProof, fromMs: number, forMs: number) => {
  let last = { ...known, isProven: false }
  for (let ms = 0; ms <= forMs; ms += minute) last = proveTime(last, fromMs + ms)
  return last
}

test('the first time ever seen is believed', () => {
  expect(proveTime({ provenMs: null, checkedMs: null, agreedForMs: 0 }, start).isProven).toBe(true)
})

test('a machine that was off for a night is believed, and after a longer time once it ran for a day', () => {
  expect(proveTime(proven, start + 16 * hour).isProven).toBe(true)
  const monday = start + 3 * day
  const running = look(proven, monday, sweepProofMs - minute)
  expect(running.isProven).toBe(false)
  expect(proveTime(running, monday + sweepProofMs).isProven).toBe(true)
})

test('the day may consist of several days of work', () => {
  let known: TimeProof = proven
  let days = 0
  for (let isProven = false; !isProven; days++) {
    const result = look(known, start + 3 * day + days * day, 8 * hour)
    known = result
    ;({ isProven } = result)
  }
  expect(days).toBe(3)
})

test('a machine that starts 401 days ahead or two behind is believed once it is corrected', () => {
  for (const offMs of [401 * day, -2 * day]) {
    const doubted = look(proven, start + offMs, 23 * hour)
    expect(doubted.isProven).toBe(false)
    expect(proveTime(doubted, start + 23 * hour).isProven).toBe(true)
  }
})

test('a clock that jumps again restarts its day', () => {
  const doubted = look(proven, start + 401 * day, 20 * hour)
  const again = look(doubted, start + 900 * day, 20 * hour)
  expect(again.isProven).toBe(false)
})

test('a clock is never believed farther than a day from what was believed a minute before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: start - 900 * day, max: start + 900 * day }), { maxLength: 30 }),
      (instants) => {
        let known: TimeProof = proven
        for (const nowMs of instants) {
          const result = proveTime(known, nowMs)
          if (result.isProven) expect(Math.abs(nowMs - known.provenMs!)).toBeLessThanOrEqual(sweepGapMsMax)
          known = result
        }
      },
    ),
  )
})
