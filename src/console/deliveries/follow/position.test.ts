import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApiError } from '../../../platform/http/errors/errors.ts'
import {
  advance,
  lastNumber,
  readCursor,
  settle,
  startOfDeliveries,
  writeCursor,
  type Position,
} from './position.ts'

const big = fc.bigInt(1n, 2n ** 50n)

test('A cursor holds its position, however many answers led to it, in at most 2,300 characters', () => {
  const answers = fc.array(fc.record({ step: big, count: fc.integer({ min: 1, max: 200 }) }), {
    maxLength: 60,
  })
  const queued = fc.uniqueArray(big, { maxLength: 100 })
  fc.assert(
    fc.property(answers, queued, (each, numbers) => {
      let position: Position = { ...startOfDeliveries, queued: new Set(numbers) }
      for (const { step, count } of each) {
        const end = lastNumber(position) + step
        position = advance(position, { end, count, drawnBy: 1_800_000_000 })
      }
      const text = writeCursor(position)
      expect(text.length).toBeLessThanOrEqual(2_300)
      expect(readCursor(text)).toEqual(position)
      const total = each.reduce((sum, { count }) => sum + count, 0)
      expect(position.segments.reduce((sum, { count }) => sum + count, 0)).toBe(total)
      expect(settle(position, 1_800_000_030).floor).toBe(lastNumber(position))
    }),
  )
})

test('A text that no answer gave is 400', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('1_0_', '1_5.4-1-1_', '1_zzzzzzzzzzzzz_', '1_1.2-1-1.2-1-1_', `1_0_${'1.'.repeat(100)}1`),
    fc.string({ unit: fc.constantFrom(...'10az._-') }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const position = readCursor(text)
        expect(readCursor(writeCursor(position))).toEqual(position)
      } catch (error) {
        expect((error as ApiError).field).toBe('after')
      }
    }),
  )
})
