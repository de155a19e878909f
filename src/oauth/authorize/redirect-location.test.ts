import { expect, test } from 'vitest'
import { RedirectError } from '../redirect-error.ts'
import { codeLocation, errorLocation } from './redirect-location.ts'

const issuer = 'https://numera.example.com'
const denied = new RedirectError('access_denied', 'The member did not allow it.')

test('a code comes with state and issuer', () => {
  expect(codeLocation({ redirectUri: 'https://app.example.com/back', state: 'a b&c', issuer }, 'nac_1')).toBe(
    'https://app.example.com/back?code=nac_1&state=a+b%26c&iss=https%3A%2F%2Fnumera.example.com',
  )
})

test('an error comes with a sentence, state and issuer; without a state there is none', () => {
  const url = new URL(
    errorLocation({ redirectUri: 'https://app.example.com', state: undefined, issuer }, denied),
  )
  expect([...url.searchParams]).toEqual([
    ['error', 'access_denied'],
    ['error_description', 'The member did not allow it.'],
    ['iss', issuer],
  ])
})

test('the query of the redirect address is kept byte for byte', () => {
  for (const redirectUri of [
    'https://app.example.com/back?tenant=%41&x',
    'https://app.example.com/back?',
    'https://app.example.com/back?a=1&',
    'https://app.example.com?a=b?c',
  ]) {
    const location = codeLocation({ redirectUri, state: 's', issuer }, 'nac_1')
    expect(location.startsWith(redirectUri)).toBe(true)
    expect(location.slice(redirectUri.length)).toMatch(/^&?code=nac_1&state=s&iss=/)
    const { searchParams } = new URL(location)
    for (const [name, value] of new URL(redirectUri).searchParams) {
      expect(searchParams.getAll(name)).toEqual([value])
    }
    expect(searchParams.get('code')).toBe('nac_1')
  }
})

test('any state fits into a header, and the app reads it as it was', () => {
  for (const state of ['å\r\nSet-Cookie: a=b', '漢字 🍞', '#?&=+%', '"><script>']) {
    const location = codeLocation({ redirectUri: 'https://app.example.com/back', state, issuer }, 'nac_1')
    expect(location).toMatch(/^[\x21-\x7e]+$/)
    expect(new URL(location).searchParams.get('state')).toBe(state)
    expect(new URL(location).hash).toBe('')
  }
})
