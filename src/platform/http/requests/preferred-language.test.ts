import { expect, test } from 'vitest'
import { preferredLanguage } from './preferred-language.ts'

test('a page is in the language that its reader prefers', () => {
  expect(preferredLanguage('sv-SE,sv;q=0.9,en;q=0.8')).toBe('sv')
  expect(preferredLanguage('en-GB,en;q=0.9,sv;q=0.8')).toBe('en')
  expect(preferredLanguage('de, en;q=0.3, SV;q=0.5')).toBe('sv')
  expect(preferredLanguage('nb, da;q=0.9, sv ; q=0.1')).toBe('sv')
})

test('a language that is not wanted is not taken, and where none is known it is English', () => {
  expect(preferredLanguage('sv;q=0, en;q=0.1')).toBe('en')
  expect(preferredLanguage('de')).toBe('en')
  expect(preferredLanguage('*')).toBe('en')
  expect(preferredLanguage('sv;q=much')).toBe('en')
  expect(preferredLanguage('')).toBe('en')
  expect(preferredLanguage(undefined)).toBe('en')
})
