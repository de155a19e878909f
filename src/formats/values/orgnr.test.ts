import { expect, test } from 'vitest'
import { formatOrgnr, parseOrgnr } from './orgnr.ts'

const at = new Date('2026-05-01T00:00:00Z')

test('the three forms of a company number are the same ten digits', () => {
  expect(parseOrgnr('556016-0680', at)).toBe('5560160680')
  expect(parseOrgnr('5560160680', at)).toBe('5560160680')
  expect(parseOrgnr('165560160680', at)).toBe('5560160680')
  expect(parseOrgnr('16556016-0680', at)).toBe('5560160680')
})

test('a wrong check digit is no number', () => {
  expect(parseOrgnr('556016-0681', at)).toBeUndefined()
})

test('a third digit under 2 is no company', () => {
  // 551016-0681 passes Luhn with some last digit: try them all.
  const taken = Array.from({ length: 10 }, (_, digit) => parseOrgnr(`551016-068${digit}`, at)).filter(Boolean)
  expect(taken).toEqual([])
})

test('a sole trader is stored as twelve digits', () => {
  expect(parseOrgnr('198112189876', at)).toBe('198112189876')
  expect(parseOrgnr('19811218-9876', at)).toBe('198112189876')
  expect(parseOrgnr('811218+9876', at)).toBe('188112189876')
})

test('a short personal number with a dash has no century and is refused', () => {
  expect(parseOrgnr('811218-9876', at)).toBeUndefined()
})

test('text that is not a number is refused', () => {
  for (const text of ['', ' ', '556016 0680', '55601606800', 'abcdef-ghij', '556016-0680\n', '٥٥٦٠١٦٠٦٨٠']) {
    expect(parseOrgnr(text, at), JSON.stringify(text)).toBeUndefined()
  }
})

test('numbers are shown with a dash before the last four digits', () => {
  expect(formatOrgnr('5560160680')).toBe('556016-0680')
  expect(formatOrgnr('198112189876')).toBe('19811218-9876')
})
