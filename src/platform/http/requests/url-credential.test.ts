import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../../../testing/cases/any-text.ts'
import { hasUrlCredential, isApiTarget } from './url-credential.ts'

const prefixes = ['nsk_', 'ncs_', 'nat_', 'nrt_', 'nac_', 'nk_']
const names = [
  'access_token',
  'token',
  'api_key',
  'apikey',
  'key',
  'secret',
  'client_secret',
  'authorization',
]

const secret = fc
  .tuple(fc.constantFrom(...prefixes), fc.string({ unit: fc.constantFrom(...'abcXYZ019_'), maxLength: 43 }))
  .map((parts) => parts.join(''))
const word = fc.stringMatching(/^[a-m]{1,8}$/)
const harmless = fc
  .tuple(word, fc.stringMatching(/^[0-9a-f-]{0,36}$/))
  .map(([name, value]) => `${name}=${value}`)

/** The same text with some of its characters percent-encoded, once or twice. */
const encoded = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 2 }), { minLength: text.length, maxLength: text.length }).map((layers) =>
    [...text]
      .map((char, index) => {
        const once = `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`
        return layers[index] === 0 ? char : layers[index] === 1 ? once : once.replace('%', '%25')
      })
      .join(''),
  )

test('a credential is found in any query value, in any encoding and with any text around it', () => {
  fc.assert(
    fc.property(
      fc.array(harmless, { maxLength: 3 }),
      word,
      secret.chain(encoded),
      fc.array(harmless, { maxLength: 3 }),
      (before, name, value, after) => {
        const query = [...before, `${name}=${value}`, ...after].join('&')
        expect(hasUrlCredential(`/v1/samples?${query}`)).toBe(true)
      },
    ),
  )
})

test('a credential is found in the path, however it is encoded', () => {
  fc.assert(
    fc.property(word, secret.chain(encoded), (before, value) => {
      expect(hasUrlCredential(`/v1/${before}/${value}`)).toBe(true)
      expect(hasUrlCredential(`/v1/${value}/${before}`)).toBe(true)
    }),
  )
})

test('the usual parameter names are refused in any case and encoding, with any value', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...names).chain(encoded),
      fc.boolean(),
      fc.stringMatching(/^[0-9a-z]{0,8}$/),
      (name, upper, value) => {
        // An encoding is case-insensitive; only the name's own letters change.
        const written = upper ? name.replace(/(?<!%[0-9a-f]?)[a-z]/g, (char) => char.toUpperCase()) : name
        expect(hasUrlCredential(`/v1/samples?from=2026-01-01&${written}=${value}`)).toBe(true)
      },
    ),
  )
})

test('user info is refused', () => {
  expect(hasUrlCredential('http://user:password@example.com/v1/samples')).toBe(true)
  expect(hasUrlCredential('http://user@example.com/v1/samples')).toBe(true)
  expect(hasUrlCredential('http://example.com/v1/samples')).toBe(false)
})

test('ordinary targets pass', () => {
  fc.assert(
    fc.property(fc.array(harmless, { maxLength: 5 }), (pairs) => {
      expect(hasUrlCredential(`/v1/samples?${pairs.join('&')}`)).toBe(false)
    }),
  )
  for (const target of [
    '/v1/ingest',
    '/v1/samples?from=2026-01-01&to=2026-02-01&source_id=01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11',
    '/v1/samples?metric=revenue&label.country=SE',
    // The letters of a prefix inside a word, and parameters whose names only end like one.
    '/v1/samples?label.kind=link_click&label.token_type=x&label.key=a',
    '/v1/samples?label.bank=blank_nordic',
    '/v1/samples?q=a%zzb',
    '/v1/deliveries/01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11',
  ]) {
    expect(hasUrlCredential(target), target).toBe(false)
  }
})

test('it never throws, for any target', () => {
  fc.assert(
    fc.property(anyText(), (target) => {
      expect(typeof hasUrlCredential(target)).toBe('boolean')
      expect(typeof isApiTarget(target)).toBe('boolean')
    }),
  )
})

test('what the router takes for /v1 is checked, in any spelling', () => {
  for (const target of [
    '/v1',
    '/v1/',
    '/v1?token=a',
    '/%761/samples',
    '/v1%2Fsamples',
    'http://a@b/v1/samples',
  ]) {
    expect(isApiTarget(target), target).toBe(true)
  }
  for (const target of ['/', '/oauth/token', '/v2/x', '/v10', '/console/v1/x', '/a/v1/']) {
    expect(isApiTarget(target), target).toBe(false)
  }
})
