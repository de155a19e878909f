import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { getValue, getValues } from '../parameters.ts'
import { readClientCredentials, readForm } from './client-request.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test('both parts are form-decoded after the split at the first colon', () => {
  expect(readClientCredentials(basic('a%3Ab:c+d%2Be'))).toEqual({ clientId: 'a:b', clientSecret: 'c d+e' })
  expect(readClientCredentials(basic('id:secret:with:colons'))).toEqual({
    clientId: 'id',
    clientSecret: 'secret:with:colons',
  })
})

test('a value that cannot be decoded is used as it was sent', () => {
  expect(readClientCredentials(basic('id:100%'))).toEqual({ clientId: 'id', clientSecret: '100%' })
})

const encode = (part: string): string => new URLSearchParams([['', part]]).toString().slice(1)

test('any form-encoded id and secret are decoded', () => {
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

test('an empty parameter counts as absent', () => {
  const form = readForm('grant_type=client_credentials&scope=')
  expect(getValue(form, 'grant_type')).toBe('client_credentials')
  expect(getValue(form, 'scope')).toBeUndefined()
})

test('a repeated parameter is refused, even an unknown or an empty one', () => {
  for (const body of ['a=1&a=1', 'a=1&b=2&a=3', 'scope=&scope=a', 'a&a']) {
    expect(() => readForm(body)).toThrow(expect.objectContaining({ error: 'invalid_request', status: 400 }))
  }
})

test('values are form-decoded', () => {
  expect(getValue(readForm('a=b+c%2Bd%C3%A5'), 'a')).toBe('b c+då')
})

test('only resource may be given several times; an empty one counts as absent', () => {
  const body = 'resource=https%3A%2F%2Fa.example&resource=&resource=b'
  expect(getValues(readForm(body), 'resource')).toEqual(['https://a.example', 'b'])
  expect(getValues(readForm('resource=&a=b'), 'resource')).toEqual([])
})
