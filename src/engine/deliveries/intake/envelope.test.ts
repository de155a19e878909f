import { expect, test } from 'vitest'
import { DeliveryError } from './delivery-error.ts'
import { readEnvelope } from './envelope.ts'

const read = (text: string | Buffer) => readEnvelope(Buffer.isBuffer(text) ? text : Buffer.from(text), 1)

const refusal = (text: string | Buffer): string => {
  try {
    read(text)
  } catch (error) {
    if (error instanceof DeliveryError) return error.field
    throw error
  }
  return 'taken'
}

const withKey = (key: string): string =>
  JSON.stringify({ idempotency_key: key, shape_version: 1, payload: {} })

test('the members are found at any position', () => {
  const text =
    ' {"payload" : [ {"a":1} ] , "shape_version":12,"idempotency_key":"k\\u00e4y", "extra": {"x":[]}} '
  const envelope = read(text)
  expect(envelope).toMatchObject({ idempotencyKey: 'käy', shapeVersion: 12 })
  expect(text.slice(envelope.payloadStart, envelope.payloadEnd)).toBe('[ {"a":1} ]')
})

test.each([
  ['', 'body'],
  ['   ', 'body'],
  ['[]', 'body'],
  ['"text"', 'body'],
  ['{"idempotency_key":"a","shape_version":1,"payload":{}', 'body'],
  ['{"idempotency_key":"a","shape_version":1,"payload":{}} x', 'body'],
  ['{"idempotency_key":"a","shape_version":1,"payload":{"a":01}}', 'body'],
  ['{"idempotency_key":"a","idempotency_key":"b","shape_version":1,"payload":{}}', 'body'],
  ['{"idempotency_key":"a","shape_version":1,"payload":{"x":1,"\\u0078":2}}', 'body'],
  [`{"idempotency_key":"a","shape_version":1,"payload":{"x":${'['.repeat(100)}${']'.repeat(100)}}}`, 'body'],
  ['{"idempotency_key":"a","shape_version":1,"payload":{"\\u0000":1}}', 'body'],
  ['{"idempotency_key":"a","shape_version":1,"payload":{"\\ud800":1}}', 'body'],
  ['{"shape_version":1,"payload":{}}', 'idempotency_key'],
  ['{"idempotency_key":1,"shape_version":1,"payload":{}}', 'idempotency_key'],
  ['{"idempotency_key":null,"shape_version":1,"payload":{}}', 'idempotency_key'],
  ['{"idempotency_key":"a","payload":{}}', 'shape_version'],
  ['{"idempotency_key":"a","shape_version":"1","payload":{}}', 'shape_version'],
  ['{"idempotency_key":"a","shape_version":0,"payload":{}}', 'shape_version'],
  ['{"idempotency_key":"a","shape_version":-1,"payload":{}}', 'shape_version'],
  ['{"idempotency_key":"a","shape_version":1.0,"payload":{}}', 'shape_version'],
  ['{"idempotency_key":"a","shape_version":1e0,"payload":{}}', 'shape_version'],
  ['{"idempotency_key":"a","shape_version":99999999999999999999,"payload":{}}', 'shape_version'],
  ['{"idempotency_key":"a","shape_version":1}', 'payload'],
])('%s is refused for its %s', (text, field) => {
  expect(refusal(text)).toBe(field)
})

test('names written with escapes are the same names', () => {
  const text =
    '{"idempotency\\u005fkey":"a","shape_versio\\u006e":2,"\\u0070ayload":{},"payloads":1,"x\\n":2}'
  expect(read(text)).toMatchObject({ idempotencyKey: 'a', shapeVersion: 2 })
})

test('bytes that are not UTF-8 are refused', () => {
  const text = Buffer.from(withKey('aXa'))
  text[text.indexOf('X')] = 0xff
  expect(refusal(text)).toBe('body')
})

test.each([
  ['a'.repeat(200), 'taken'],
  ['a'.repeat(201), 'idempotency_key'],
  // A code point outside the first plane is two units of a string and one character.
  ['😀'.repeat(200), 'taken'],
  ['😀'.repeat(201), 'idempotency_key'],
  ['😀'.repeat(5_000), 'idempotency_key'],
  ['', 'idempotency_key'],
  ['service:x', 'idempotency_key'],
  ['Service:x', 'taken'],
  ['x service:', 'taken'],
  ['a\0b', 'idempotency_key'],
  ['a\ud800b', 'idempotency_key'],
])('the key %s is %s', (key, field) => {
  expect(refusal(withKey(key))).toBe(field)
})
