import { expect, test } from 'vitest'
import { readForm } from './read-form.ts'
import { readResources } from './read-resources.ts'

test('an empty parameter counts as absent', () => {
  expect([...readForm('grant_type=client_credentials&scope=')]).toEqual([
    ['grant_type', 'client_credentials'],
  ])
})

test('a repeated parameter is refused, even an unknown or an empty one', () => {
  for (const body of ['a=1&a=1', 'a=1&b=2&a=3', 'scope=&scope=a', 'a&a']) {
    expect(() => readForm(body)).toThrow(expect.objectContaining({ error: 'invalid_request', status: 400 }))
  }
})

test('values are form-decoded', () => {
  expect(readForm('a=b+c%2Bd%C3%A5').get('a')).toBe('b c+då')
})

test('only resource may be given several times; an empty one counts as absent', () => {
  const body = 'resource=https%3A%2F%2Fa.example&resource=&resource=b'
  expect(readForm(body).get('resource')).toBe('b')
  expect(readResources(body)).toEqual(['https://a.example', 'b'])
  expect(readResources('resource=&a=b')).toBeUndefined()
})
