import { expect, test } from 'vitest'
import { toCodeChallenge } from './authorization-code-grant.ts'

test("the challenge of RFC 7636's own example, appendix B", () => {
  expect(toCodeChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('a verifier has 43 to 128 unreserved characters', () => {
  for (const verifier of ['a'.repeat(43), 'a'.repeat(128), `${'a'.repeat(40)}-._~`]) {
    expect(toCodeChallenge(verifier)).toMatch(/^[\w-]{43}$/)
  }
  for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}+`, `${'a'.repeat(43)}å`, '']) {
    expect(() => toCodeChallenge(verifier)).toThrow(expect.objectContaining({ error: 'invalid_request' }))
  }
})
