import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { averagePerSecond, countDue, peakPerSecond, pickSource, ratePerSecond } from './monday.ts'

test('an hour has the average rate, and some thousands a second at its peak', () => {
  const steps = 36_000
  const rates = Array.from({ length: steps }, (_, step) => ratePerSecond(step / steps))
  const average = rates.reduce((sum, rate) => sum + rate, 0) / steps
  expect(average / averagePerSecond).toBeCloseTo(1, 1)
  expect(Math.max(...rates)).toBe(peakPerSecond)
  expect(peakPerSecond).toBeGreaterThan(3_000)
})

test('as many are due as the rate says', () => {
  const random = seededRandom(7)
  let due = 0
  for (let step = 0; step < 10_000; step++) due += countDue(random, 3_000, 0.05)
  expect(due / (3_000 * 0.05 * 10_000)).toBeCloseTo(1, 2)
})

test('every second delivery is of a fiftieth of the sources', () => {
  const random = seededRandom(7)
  const picked = Array.from({ length: 10_000 }, () => pickSource(random, 3_000))
  expect(picked.filter((source) => source % 50 === 0).length / picked.length).toBeCloseTo(0.51, 1)
  expect(Math.max(...picked)).toBeLessThan(3_000)
})
