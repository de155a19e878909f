import { expect, test } from 'vitest'
import { createUuidv7, lowestUuidv7, uuidv7 } from './uuidv7.ts'

test('An id is a version 7 UUID that begins with its milliseconds', () => {
  // The example of RFC 9562, appendix A.6.
  const nowMs = 0x017f22e279b0
  expect(createUuidv7((buffer) => buffer.fill(0xff))(nowMs)).toBe('017f22e2-79b0-7fff-bfff-ffffffffffff')
  expect(createUuidv7((buffer) => buffer.fill(0))(nowMs)).toBe('017f22e2-79b0-7000-8000-000000000000')
})

test('Ids differ, and those of later milliseconds sort later', () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => uuidv7(1_700_000_000_000 + index))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test('the lowest id of an instant separates earlier ids from those of the instant', () => {
  const highest = createUuidv7((buffer) => buffer.fill(0xff))
  const lowest = createUuidv7((buffer) => buffer.fill(0))
  for (const ms of [1, 1_768_478_400_000, 2 ** 48 - 1]) {
    expect(highest(ms - 1) < lowestUuidv7(ms)).toBe(true)
    expect(lowestUuidv7(ms) < lowest(ms)).toBe(true)
  }
})
