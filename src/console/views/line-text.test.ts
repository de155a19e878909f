import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideValues, quotientDecimals } from './combine-values.ts'
import { parseLines, writeLine, type Line } from './line-text.ts'

const operand = fc.record({
  sourceId: fc.uuid(),
  metric: fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
})
const sum = fc.uniqueArray(operand, { minLength: 1, maxLength: 3, selector: ({ sourceId }) => sourceId })
const line: fc.Arbitrary<Line> = fc.record({
  numerator: sum,
  denominator: fc.option(sum, { nil: null }),
})

test('a line is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      expect(parseLines(lines.map(writeLine))).toEqual(lines)
    }),
  )
})

/** A decimal with all its decimals. */
const write = ({ digits, scale }: { digits: bigint; scale: number }): string => {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

test('a quotient is the nearest one, and of two equally near the even one', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 1, max: 8 }))
    .map(([digits, scale]) => ({ digits, scale }))
  fc.assert(
    fc.property(decimal, decimal, (n, d) => {
      fc.pre(d.digits !== 0n)
      const units = BigInt(divideValues(write(n), write(d)).replace('.', ''))
      // Twice the distance to the quotient, times the denominator: |2 (n - q d)| at one scale.
      const left = n.digits * 10n ** BigInt(d.scale + quotientDecimals)
      const right = units * d.digits * 10n ** BigInt(n.scale)
      const twice = 2n * (left - right < 0n ? right - left : left - right)
      const divisor = (d.digits < 0n ? -d.digits : d.digits) * 10n ** BigInt(n.scale)
      expect(twice <= divisor).toBe(true)
      if (twice === divisor) expect(units % 2n).toBe(0n)
    }),
  )
  expect(['1', '3', '-1', '-3'].map((n) => divideValues(n, '20000'))).toEqual([
    '0.0000',
    '0.0002',
    '0.0000',
    '-0.0002',
  ])
})
