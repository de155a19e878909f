import { expect, test } from 'vitest'
import { firstLanguage } from './chosen-language.ts'

test('The chosen language takes precedence over the browser’s', () => {
  expect(firstLanguage('sv', ['en-GB'])).toBe('sv')
  expect(firstLanguage('tlh', ['sv-FI', 'en'])).toBe('sv')
})

test('The first supported language of the browser is used, otherwise English', () => {
  expect(firstLanguage(null, ['fi', 'SV', 'en'])).toBe('sv')
  expect(firstLanguage(null, ['de', 'en-US', 'sv'])).toBe('en')
  expect(firstLanguage(null, ['de'])).toBe('en')
  expect(firstLanguage(null, [])).toBe('en')
})
