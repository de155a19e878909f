import { expect, test } from 'vitest'
import { looksLikePersonalNumber } from './personal-number.ts'

test.each(['191212121212', '19121212-1212', '121212-1212', '121212+1212', ' 189001019802 '])(
  '%s can be a personal number',
  (text) => expect(looksLikePersonalNumber(text)).toBe(true),
)

test.each(['', '1212121212', '191212121213', '19121212 1212', '1912121212', 'number'])(
  '“%s” is not a personal number',
  (text) => expect(looksLikePersonalNumber(text)).toBe(false),
)
