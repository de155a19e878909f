import { expect, test } from 'vitest'
import {
  absolute,
  add,
  compare,
  getSign,
  isDecimal,
  padDecimals,
  percentChange,
  percentOf,
  ratio,
  subtract,
} from './decimal.ts'

test('Sums and differences keep all 38 digits and the longer number of decimals', () => {
  expect(add('12345678901234567890123456789012345678.99', '0.01')).toBe(
    '12345678901234567890123456789012345679.00',
  )
  expect(subtract('1298111.75', '1352885.75')).toBe('-54774.00')
  expect(subtract('0.1', '0.30')).toBe('-0.20')
  expect(add('-0.5', '0.5')).toBe('0.0')
})

test('Values are compared as numbers, not as text', () => {
  expect(compare('10', '9')).toBe(1)
  expect(compare('-10', '-9')).toBe(-1)
  expect(compare('1.0', '1.000')).toBe(0)
  expect(compare('99999999999999999999.1', '99999999999999999999.2')).toBe(-1)
  expect(getSign('-0.00')).toBe(0)
  expect(absolute('-54774.00')).toBe('54774.00')
})

test('A change is in per cent with one decimal, rounded half away from zero; none from zero or less', () => {
  expect(percentChange('1298111.75', '1196416.50')).toBe('8.5')
  expect(percentChange('100.05', '100')).toBe('0.1')
  expect(percentChange('99.95', '100')).toBe('-0.1')
  expect(percentChange('0', '100')).toBe('-100.0')
  expect(percentChange('1', '0')).toBeUndefined()
  expect(percentChange('1', '-5')).toBeUndefined()
})

test('A share is exact until it is rounded once; of zero there is none', () => {
  expect(percentOf('1', '3')).toBe('33.3')
  expect(percentOf('12345678901234567890123456789012345678', '24691357802469135780246913578024691356')).toBe(
    '50.0',
  )
  expect(percentOf('-1', '8')).toBe('-12.5')
  expect(percentOf('1', '0.00')).toBeUndefined()
})

test('Decimals are added as zeros and never taken', () => {
  expect(['5', '5.1', '5.12', '5.1234'].map((value) => padDecimals(value, 2))).toEqual([
    '5.00',
    '5.10',
    '5.12',
    '5.1234',
  ])
  expect([padDecimals('7', 0), padDecimals('-7.5', 0)]).toEqual(['7', '-7.5'])
})

test('A position in a chart is exact to a millionth for values of any size', () => {
  expect(ratio('1', '3')).toBe(0.333333)
  expect(ratio('-12345678901234567890123456789012345678', '24691357802469135780246913578024691356')).toBe(
    -0.5,
  )
  expect(ratio('5', '0')).toBe(0)
})

test('Only plain decimal numbers are decimals', () => {
  for (const text of ['', '1e5', '1,5', '.5', '5.', '+1', '1 000', 'NaN'])
    expect(isDecimal(text), text).toBe(false)
  expect(() => add('1e5', '1')).toThrow(SyntaxError)
})
