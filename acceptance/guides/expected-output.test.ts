import { expect, test } from 'vitest'
import { differenceFrom } from './expected-output.ts'

const json = (expected: unknown, actual: unknown) =>
  differenceFrom('json', JSON.stringify(expected), JSON.stringify(actual))

test('JSON is compared by value, not by format', () => {
  expect(differenceFrom('json', '{ "a": 1,\n  "b": [true] }', '{"b":[true],"a":1}')).toBeUndefined()
  expect(json({ a: '1' }, { a: 1 })).toBe('the value.a is 1')
  expect(json({ a: 1 }, {})).toBe('the value.a is missing')
  expect(json({ a: 1 }, { a: 1, b: 2 })).toBe('the value also has b')
  expect(json([{ a: null }], [{ a: 0 }])).toBe('the value[0].a is 0')
  expect(json([1], [1, 2])).toBe('the value has 2 elements')
  expect(differenceFrom('json', '{}', 'curl: (7)')).toBe('what came is not JSON')
})

test('in JSON an ellipsis matches text, any value, and more values at the end', () => {
  expect(json({ id: '019a…', at: '…' }, { id: '019a77', at: 7 })).toBeUndefined()
  expect(json({ id: '019a…' }, { id: '019b77' })).toBe('the value.id is "019b77"')
  expect(json({ a: 1, '…': '…' }, { a: 1, b: 2 })).toBeUndefined()
  expect(json({ a: 1, '…': '…' }, { b: 2 })).toBe('the value.a is missing')
  expect(json([1, '…'], [1, 2, 3])).toBeUndefined()
  expect(json([1, '…'], [])).toBe('the value has 0 elements')
})

test('text is compared line by line, without trailing white space', () => {
  expect(differenceFrom('text', 'HTTP/1.1 202 Accepted\n', 'HTTP/1.1 202 Accepted\r\n\r\n')).toBeUndefined()
  expect(differenceFrom('text', 'a\nb\n', 'a\nc\n')).toBe('no line is "b"')
  expect(differenceFrom('text', 'a\nb\n', 'b\na\n')).toBe('its lines are others')
  expect(differenceFrom('csv', 'at;amount\n', 'at;amount\n1;2\n')).toBe('its lines are others')
})

test('in text an ellipsis matches a part of a line, and alone any lines', () => {
  expect(differenceFrom('text', 'etag: "…"\n', 'etag: "abc"')).toBeUndefined()
  expect(differenceFrom('text', 'first\n…\nlast\n', 'first\nlast')).toBeUndefined()
  expect(differenceFrom('text', 'first\n…\nlast\n', 'first\n1\n2\nlast')).toBeUndefined()
  expect(differenceFrom('text', 'first\n…\nlast\n', 'first\n1\n2')).toBe('no line is "last"')
  expect(differenceFrom('text', 'a…c', 'a\nc')).toBe('no line is "a…c"')
})
