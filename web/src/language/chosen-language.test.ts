import { expect, test } from 'vitest'
import { firstLanguage } from './chosen-language.ts'

test('What was chosen comes before what the browser prefers', () => {
  expect(firstLanguage('sv', ['en-GB'])).toBe('sv')
  expect(firstLanguage('tlh', ['sv-FI', 'en'])).toBe('sv')
})

test('The first of the browser’s languages that there is counts, and English where there is none', () => {
  expect(firstLanguage(null, ['fi', 'SV', 'en'])).toBe('sv')
  expect(firstLanguage(null, ['de', 'en-US', 'sv'])).toBe('en')
  expect(firstLanguage(null, ['de'])).toBe('en')
  expect(firstLanguage(null, [])).toBe('en')
})
