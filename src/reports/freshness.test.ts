import { expect, test } from 'vitest'
import { freshnessOf } from './freshness.ts'

const hourMs = 3_600_000
const nowMs = Date.parse('2026-01-15T12:00:00Z')
/** Deliveries so many hours ago. */
const ago = (...hours: number[]): number[] => hours.map((each) => nowMs - each * hourMs)

test('a source is late after three of its usual times, and not before', () => {
  const usual = { usualSeconds: 86_400 }
  expect(freshnessOf(ago(72, 96, 120, 144), nowMs, false)).toMatchObject({ ...usual, late: false })
  expect(freshnessOf(ago(72.001, 96.001, 120.001), nowMs, false)).toMatchObject({ ...usual, late: true })
})

test('the usual time is the median, which a single long silence does not move', () => {
  expect(freshnessOf(ago(1, 2, 3, 500, 501), nowMs, false)).toMatchObject({
    usualSeconds: 3_600,
    late: false,
  })
  expect(freshnessOf(ago(1, 2, 5), nowMs, false).usualSeconds).toBe(7_200)
})

test('a source with fewer than three deliveries has no rhythm and is never late', () => {
  expect(freshnessOf([], nowMs, false)).toEqual({ lastReceivedAt: null, usualSeconds: null, late: false })
  expect(freshnessOf(ago(9_000, 9_001), nowMs, false)).toEqual({
    lastReceivedAt: new Date(nowMs - 9_000 * hourMs),
    usualSeconds: null,
    late: false,
  })
})

test('a paused source is never late', () => {
  expect(freshnessOf(ago(900, 901, 902), nowMs, true)).toMatchObject({ usualSeconds: 3_600, late: false })
})

test('what comes in bursts is not late a moment later', () => {
  const burst = [nowMs - 120_000, nowMs - 120_001, nowMs - 120_001, nowMs - 120_000]
  expect(freshnessOf(burst, nowMs, false)).toMatchObject({ usualSeconds: 60, late: false })
})
