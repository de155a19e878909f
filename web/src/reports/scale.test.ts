import { describe, expect, test } from 'vitest'
import { getExponent, toFractions, getMagnitude, movePoint, createScale } from './scale.ts'

test.each([
  ['123.4', 3],
  ['-7', 1],
  ['0.5', 0],
  ['0.0012', -2],
  ['007', 1],
  ['0', undefined],
  ['0.000', undefined],
])('%s begins at %s', (value, magnitude) => {
  expect(getMagnitude(value)).toBe(magnitude)
})

test.each([
  ['1.5', 6, '1500000'],
  ['0.25', 3, '250'],
  ['-0.5', 1, '-5'],
  ['1500000', -6, '1.5'],
  ['5', -3, '0.005'],
  ['0', 4, '0'],
])('%s moved by %i is %s', (value, places, moved) => {
  expect(movePoint(value, places)).toBe(moved)
})

describe('A scale', () => {
  test('has round, exact ticks, including zero', () => {
    const values = ['1410500.00', '718876.00', null]
    const exponent = getExponent(values)
    const scale = createScale(toFractions(values, exponent), exponent)
    expect(scale.ticks.map(({ value }) => value)).toEqual(['0', '500000', '1000000', '1500000'])
    expect(scale.high).toBeGreaterThanOrEqual(0.14105)
  })

  test('includes negative values', () => {
    const values = ['-54774.00', '-22140.50']
    const exponent = getExponent(values)
    expect(createScale(toFractions(values, exponent), exponent).ticks.map(({ value }) => value)).toEqual([
      '-60000',
      '-40000',
      '-20000',
      '0',
    ])
  })

  test('holds values of 38 digits, and tiny ones', () => {
    const large = [`${'9'.repeat(38)}`, '1']
    const exponent = getExponent(large)
    expect(createScale(toFractions(large, exponent), exponent).ticks.at(-1)?.value).toBe(`1${'0'.repeat(38)}`)
    const small = ['0.00000000012']
    expect(
      createScale(toFractions(small, getExponent(small)), getExponent(small)).ticks.at(-1)?.value,
    ).toMatch(/^0\.000000000[12]/)
  })

  test('can be of zeros or empty', () => {
    expect(createScale([0, 0], getExponent(['0', '0'])).high).toBe(1)
    expect(createScale([], getExponent([])).ticks.length).toBeGreaterThan(1)
  })
})
