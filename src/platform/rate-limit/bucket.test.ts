import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { consumeAll } from '../../../testing/cases/consume-all.ts'
import { intervalUs, readBucket, tokensLeft } from './bucket.ts'

const rate = { perMinute: 60, burst: 20 }
const start = 1_768_478_400_000_000
const second = 1_000_000

test('a bucket never used holds its burst', () => {
  expect(tokensLeft(0, start, rate)).toBe(20)
  expect(readBucket(0, start, rate)).toEqual({ remaining: 20, resetSeconds: 0, retryAfterSeconds: 1 })
})

test('a burst of twenty calls passes, the twenty-first waits a second', () => {
  const twenty = consumeAll(0, start, 20, rate)
  expect(twenty.granted).toBe(20)
  expect(readBucket(twenty.fullAtUs, start, rate)).toEqual({
    remaining: 0,
    resetSeconds: 20,
    retryAfterSeconds: 1,
  })
  expect(consumeAll(twenty.fullAtUs, start, 1, rate).granted).toBe(0)
  expect(consumeAll(twenty.fullAtUs, start + second - 1, 1, rate).granted).toBe(0)
  expect(consumeAll(twenty.fullAtUs, start + second, 1, rate).granted).toBe(1)
})

test('asking for more than there is gives what there is', () => {
  expect(consumeAll(0, start, 25, rate)).toEqual({ fullAtUs: start + 20 * second, granted: 20 })
})

test('ten a minute gains a token every six seconds', () => {
  const demo = { perMinute: 10, burst: 5 }
  const { fullAtUs } = consumeAll(0, start, 5, demo)
  expect(readBucket(fullAtUs, start, demo)).toEqual({ remaining: 0, resetSeconds: 30, retryAfterSeconds: 6 })
  expect(readBucket(fullAtUs, start + 1, demo).retryAfterSeconds).toBe(6)
  expect(readBucket(fullAtUs, start + second, demo).retryAfterSeconds).toBe(5)
})

test('a call that another one overtook waits for one token, not for more', () => {
  const { fullAtUs } = consumeAll(0, start + 3_000, 20, rate)
  expect(readBucket(fullAtUs, start, rate).retryAfterSeconds).toBe(1)
})

test('a call that waits as long as Retry-After says gets its token', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6_000 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 100 * second }),
      (perMinute, burst, laterUs) => {
        const empty = consumeAll(0, start, burst, { perMinute, burst })
        const now = start + laterUs
        const { retryAfterSeconds } = readBucket(empty.fullAtUs, now, { perMinute, burst })
        const then = now + retryAfterSeconds * second
        expect(consumeAll(empty.fullAtUs, then, 1, { perMinute, burst }).granted).toBe(1)
      },
    ),
  )
})

test('over any time no more calls pass than the burst and one an interval', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          afterUs: fc.integer({ min: 0, max: 3 * second }),
          requested: fc.integer({ min: 1, max: 30 }),
        }),
      ),
      (calls) => {
        let nowUs = start
        let fullAtUs = 0
        let granted = 0
        for (const { afterUs, requested } of calls) {
          nowUs += afterUs
          const taken = consumeAll(fullAtUs, nowUs, requested, rate)
          fullAtUs = taken.fullAtUs
          granted += taken.granted
        }
        expect(granted).toBeLessThanOrEqual(20 + Math.floor((nowUs - start) / second))
      },
    ),
  )
})

const anyRate = fc.record({
  perMinute: fc.integer({ min: 1, max: 6_000 }),
  burst: fc.integer({ min: 1, max: 100 }),
})
const hour = 3_600 * second
/** How far a clock may have been ahead before it was put back, and how far another may be ahead now. */
const apart = fc.oneof(
  fc.integer({ min: -60 * second, max: 60 * second }),
  fc.integer({ min: -500 * 24 * hour, max: 500 * 24 * hour }),
)

test('however clocks are moved, a bucket is full again within the time that it takes to fill', () => {
  fc.assert(
    fc.property(
      anyRate,
      fc.array(fc.record({ movedUs: apart, requested: fc.integer({ min: 1, max: 200 }) }), { maxLength: 20 }),
      (each, calls) => {
        let nowUs = start
        let fullAtUs = 0
        for (const { movedUs, requested } of calls) {
          nowUs += movedUs
          ;({ fullAtUs } = consumeAll(fullAtUs, nowUs, requested, each))
          expect(fullAtUs - nowUs).toBeLessThanOrEqual(each.burst * intervalUs(each))
        }
      },
    ),
  )
})

test('however clocks are moved, the wait is exact to the second, never longer and never shorter', () => {
  fc.assert(
    fc.property(anyRate, apart, (each, movedUs) => {
      const before = consumeAll(0, start, each.burst, each)
      const nowUs = start + movedUs
      const { fullAtUs, granted } = consumeAll(before.fullAtUs, nowUs, 1, each)
      fc.pre(granted === 0)
      const { retryAfterSeconds, resetSeconds } = readBucket(fullAtUs, nowUs, each)
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
      expect(consumeAll(fullAtUs, nowUs + retryAfterSeconds * second, 1, each).granted).toBe(1)
      if (retryAfterSeconds > 1) {
        expect(consumeAll(fullAtUs, nowUs + (retryAfterSeconds - 1) * second, 1, each).granted).toBe(0)
      }
      expect(tokensLeft(fullAtUs, nowUs + resetSeconds * second, each)).toBe(each.burst)
      expect(resetSeconds).toBeLessThanOrEqual(Math.ceil((each.burst * intervalUs(each)) / second))
    }),
  )
})
