import { expect, test } from 'vitest'
import { valueOf, valuesOf } from '../parameters.ts'
import { readForm } from './client-request.ts'

test('an empty parameter counts as absent', () => {
  const form = readForm('grant_type=client_credentials&scope=')
  expect(valueOf(form, 'grant_type')).toBe('client_credentials')
  expect(valueOf(form, 'scope')).toBeUndefined()
})

test('a repeated parameter is refused, even an unknown or an empty one', () => {
  for (const body of ['a=1&a=1', 'a=1&b=2&a=3', 'scope=&scope=a', 'a&a']) {
    expect(() => readForm(body)).toThrow(expect.objectContaining({ error: 'invalid_request', status: 400 }))
  }
})

test('values are form-decoded', () => {
  expect(valueOf(readForm('a=b+c%2Bd%C3%A5'), 'a')).toBe('b c+då')
})

test('only resource may be given several times; an empty one counts as absent', () => {
  const body = 'resource=https%3A%2F%2Fa.example&resource=&resource=b'
  expect(valuesOf(readForm(body), 'resource')).toEqual(['https://a.example', 'b'])
  expect(valuesOf(readForm('resource=&a=b'), 'resource')).toEqual([])
})
