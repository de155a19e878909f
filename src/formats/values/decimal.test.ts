import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
} from './decimal.ts'
import { compareSmall, isExact } from './small-decimal.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'

const shown = (text: string) => {
  const read = parseDecimal(text)
  return typeof read === 'string' ? read : formatDecimal(read)
}

const nines = (count: number) => '9'.repeat(count)

describe('a number', () => {
  test('is read exactly and shown without exponent, trailing zeros and -0', () => {
    const examples = {
      '0': '0',
      '-0': '0',
      '-0.00': '0',
      '007': '7',
      '+7.50': '7.5',
      '.5': '0.5',
      '5.': '5',
      '-.25': '-0.25',
      '1e3': '1000',
      '1.5E+2': '150',
      '15e-1': '1.5',
      '1e-18': '0.000000000000000001',
      '100.0e-2': '1',
      '0e999999999999': '0',
      '0.0001e4': '1',
      '1e0000000000000001': '10',
      '129.50': '129.5',
      '0.1e-0': '0.1',
      '10000000000000000.10': '10000000000000000.1',
    }
    for (const [text, result] of Object.entries(examples)) expect(shown(text), text).toBe(result)
  })

  test('has 38 digits at most, of which 18 decimals, zeros around it not counted', () => {
    for (const text of [nines(38), `${nines(20)}.${nines(18)}`, `-0.${nines(18)}`, '1e37']) {
      expect(parseDecimal(text), text).toBeTypeOf('object')
    }
    for (const text of [nines(39), `${nines(21)}.${nines(18)}`, `0.${nines(19)}`, '1e38', '1e-19']) {
      expect(parseDecimal(text), text).toBe('too_long')
    }
    expect(shown(`${'0'.repeat(5000)}1.${'0'.repeat(5000)}`)).toBe('1')
    expect(shown(`0.1${'0'.repeat(40)}`)).toBe('0.1')
  })

  test('with a huge exponent is refused without being written out', () => {
    // Written out, the first would be a text of a gigabyte, and the third longer than any.
    for (const text of ['1e999999999', '1e-999999999', `1e${'9'.repeat(9000)}`, `-1e-${'9'.repeat(9000)}`]) {
      expect(parseDecimal(text)).toBe('too_long')
    }
  })

  test('is nothing else', () => {
    for (const text of [
      '',
      ' 1',
      '1 ',
      '1,5',
      '1 000',
      '1_000',
      'NaN',
      'Infinity',
      '-',
      '+',
      '.',
      'e5',
      '1e',
      '1e+',
      '--1',
      '0x10',
      '1.2.3',
      '１',
      '1e1.5',
      '+-1',
      '1\n',
    ]) {
      expect(parseDecimal(text), JSON.stringify(text)).toBe('malformed')
    }
  })
})

const decimal: fc.Arbitrary<Decimal> = fc.record({
  digits: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  scale: fc.nat(18),
})
const at36 = ({ digits, scale }: Decimal) => digits * 10n ** BigInt(36 - scale)

test('Decimal arithmetic is that of integers at one scale', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      expect(at36(addDecimals(a, b))).toBe(at36(a) + at36(b))
      expect(at36(multiplyDecimals(a, b)) * 10n ** 36n).toBe(at36(a) * at36(b))
      expect(Math.sign(compareDecimals(a, b))).toBe(at36(a) < at36(b) ? -1 : at36(a) > at36(b) ? 1 : 0)
      const back = parseDecimal(formatDecimal(a))
      if (typeof back === 'string') expect(String(a.digits).replace('-', '').length).toBeGreaterThan(20)
      else expect(at36(back)).toBe(at36(a))
    }),
  )
})

test('A number in any notation is the integer of its digits and its point', () => {
  const digits = fc.stringMatching(/^[0-9]{0,20}$/)
  fc.assert(
    fc.property(
      digits,
      digits,
      fc.integer({ min: -20, max: 20 }),
      fc.constantFrom('', '-', '+'),
      (w, d, e, sign) => {
        fc.pre(w + d !== '')
        const read = parseDecimal(`${sign}${w}.${d}e${e}`)
        const scaled = BigInt(w + d) * 10n ** BigInt(60 + e - d.length) * (sign === '-' ? -1n : 1n)
        const magnitude = scaled < 0n ? -scaled : scaled
        const fits = magnitude % 10n ** 42n === 0n && magnitude < 10n ** 98n
        if (typeof read === 'object') {
          expect(fits).toBe(true)
          expect(read.digits * 10n ** BigInt(60 - read.scale)).toBe(scaled)
        } else {
          expect(read).toBe('too_long')
          const decimals = String(magnitude).padStart(61, '0').slice(-60).replace(/0+$/, '').length
          const whole = String(magnitude).length > 60 ? String(magnitude).length - 60 : 0
          expect(decimals > 18 || decimals + whole > 38).toBe(true)
        }
      },
    ),
    { numRuns: madeUpCases(2000) },
  )
})

test('Integer arithmetic on small decimals knows when it is exact, and compares rightly always', () => {
  const safe = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -20, max: 20 }),
    fc.constantFrom(2 ** 53 - 1, 1 - 2 ** 53),
  )
  fc.assert(
    fc.property(safe, safe, fc.nat(18), fc.nat(18), (a, b, aScale, bScale) => {
      if (isExact(a + b)) expect(BigInt(a + b)).toBe(BigInt(a) + BigInt(b))
      if (isExact(a * b)) expect(BigInt(a * b)).toBe(BigInt(a) * BigInt(b))
      const exact = compareDecimals(
        { digits: BigInt(a), scale: aScale },
        { digits: BigInt(b), scale: bScale },
      )
      expect(Math.sign(compareSmall(a, aScale, b, bScale)) + 0).toBe(exact)
    }),
    { numRuns: madeUpCases(2000) },
  )
})
