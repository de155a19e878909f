import { expect, test } from 'vitest'
import { parsePersonalNumber } from './personal-number.ts'

const at = new Date('2026-05-01T00:00:00Z')
const parse = (text: string) => parsePersonalNumber(text, at)

test('long and short forms are the same twelve digits', () => {
  expect(parse('198112189876')).toBe('198112189876')
  expect(parse('19811218-9876')).toBe('198112189876')
  expect(parse('811218-9876')).toBe('198112189876')
})

test('a plus means a hundred years or more', () => {
  expect(parse('811218+9876')).toBe('188112189876')
})

test('ten digits alone name no century', () => {
  expect(parse('8112189876')).toBeUndefined()
})

test('a coordination number has its day raised by sixty', () => {
  expect(parse('19701063-2391')).toBe('197010632391')
})

test('days that do not exist, wrong check digits and the future are refused', () => {
  expect(parse('198102309876')).toBeUndefined()
  expect(parse('198112189875')).toBeUndefined()
  expect(parse('209912189876')).toBeUndefined()
  expect(parse('198113189876')).toBeUndefined()
})

test('surrounding space is forgiven, anything else is not', () => {
  expect(parse(' 198112189876 ')).toBe('198112189876')
  expect(parse('1981 1218 9876')).toBeUndefined()
})
