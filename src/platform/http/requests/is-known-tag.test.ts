import { expect, test } from 'vitest'
import { isKnownTag } from './is-known-tag.ts'

test.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['W/"b","ab"', false],
] as const)('what is sent as %s names the tag "a": %s', (sent, expected) => {
  expect(isKnownTag(sent, '"a"')).toBe(expected)
})
