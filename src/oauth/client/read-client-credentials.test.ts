import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readClientCredentials } from './read-client-credentials.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test('both parts are form-decoded after the split at the first colon', () => {
  expect(readClientCredentials(basic('a%3Ab:c+d%2Be'))).toEqual({ clientId: 'a:b', clientSecret: 'c d+e' })
  expect(readClientCredentials(basic('id:secret:with:colons'))).toEqual({
    clientId: 'id',
    clientSecret: 'secret:with:colons',
  })
})

test('what cannot be decoded stays as it was sent', () => {
  expect(readClientCredentials(basic('id:100%'))).toEqual({ clientId: 'id', clientSecret: '100%' })
})

const encode = (part: string): string => new URLSearchParams([['', part]]).toString().slice(1)

test('any id and secret that were form-encoded come back', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 })
  fc.assert(
    fc.property(text, text, (clientId, clientSecret) => {
      expect(readClientCredentials(basic(`${encode(clientId)}:${encode(clientSecret)}`))).toEqual({
        clientId,
        clientSecret,
      })
    }),
  )
})

test('the scheme may be written in any case', () => {
  expect(readClientCredentials(basic('a:b').replace('Basic', 'bASIC'))?.clientId).toBe('a')
})

test('another scheme, and a value without a colon, are no credentials', () => {
  for (const header of ['Bearer nat_abc', 'Basic', 'Basic ', 'Basic !!!', basic('nocolon'), '']) {
    expect(readClientCredentials(header)).toBeUndefined()
  }
})
