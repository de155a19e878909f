import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DeclaredNames } from './declared-names.ts'
import { FormatError } from '../../formats/documents/format-error.ts'
import { dropUndeclared } from './drop-undeclared.ts'

const drop = (payload: string, declared: string[]): { content: string; droppedKeys: string[] } => {
  const body = Buffer.from(`{"payload":${payload},"x":1}`)
  const start = '{"payload":'.length
  const end = start + Buffer.byteLength(payload)
  const { content, droppedKeys } = dropUndeclared(body, start, end, new DeclaredNames(declared), 'payload')
  return { content: Buffer.from(content).toString(), droppedKeys }
}

test('what is declared stays as received: digits, order and white space', () => {
  const payload = '[ { "b" : 1.50e+0 , "a":"x" },\n{ } ]'
  expect(drop(payload, ['a', 'b'])).toEqual({ content: payload, droppedKeys: [] })
})

test.each([
  ['{"x":1,"a":2}', '{"a":2}'],
  ['{"a":1,"x":2}', '{"a":1}'],
  ['{"x":1}', '{}'],
  ['{"x":1,"y":2}', '{}'],
  ['{"x":1,"a":2,"y":3,"b":4,"z":5}', '{"a":2,"b":4}'],
  ['{"x":1,"y":[{"a":1}],"a":{"x":1}}', '{"a":{"x":1}}'],
  ['{ "a" : 1 , "x" : 2 , "b" : 3 }', '{ "a" : 1 , "b" : 3 }'],
  ['{ "x" : 1 , "a" : 2 }', '{ "a" : 2 }'],
  ['[{"x":1},{"a":1,"x":2},{}]', '[{},{"a":1},{}]'],
  ['[]', '[]'],
])('of %s stays %s', (payload, content) => {
  expect(drop(payload, ['a', 'b']).content).toBe(content)
})

test('a declared name written with escapes is declared', () => {
  const payload = '{"\\u0061mount":"1","\\u0062":2}'
  expect(drop(payload, ['amount'])).toEqual({ content: '{"\\u0061mount":"1"}', droppedKeys: ['b'] })
})

test('keys such as __proto__ are ordinary', () => {
  const payload = '{"__proto__":1,"constructor":2,"hasOwnProperty":3}'
  expect(drop(payload, ['constructor'])).toEqual({
    content: '{"constructor":2}',
    droppedKeys: ['__proto__', 'hasOwnProperty'],
  })
})

test('dropped keys are listed once, in code point order, at most fifty', () => {
  // Above the surrogates in code points, and below them in the units of a string.
  expect(drop('[{"\u{1f600}":1,"\uff5e":2,"b":3},{"b":1,"\\u0062x":2}]', []).droppedKeys).toEqual([
    'b',
    'bx',
    '\uff5e',
    '\u{1f600}',
  ])
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key${index + 100}`, 1]))
  const { droppedKeys } = drop(JSON.stringify(many), [])
  expect(droppedKeys).toHaveLength(50)
  expect(droppedKeys[49]).toBe('key149')
})

test.each(['1', '"text"', 'null', 'true', '[1]', '[{},[]]', '[{},null]'])(
  'the payload %s is refused',
  (payload) => {
    expect(() => drop(payload, ['a'])).toThrow(FormatError)
  },
)

test('the rest is what JSON.parse returns', () => {
  // One name with an escape only: V8's JSON.parse (Node 26.10) loses `"` beside `\\` from the second object of a shape
  // on.
  const names = ['a', 'b', 'c', 'd', 'å', '"', 'a/b', '']
  const key = fc.constantFrom(...names)
  const row = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 })
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 5 }),
      fc.uniqueArray(key),
      fc.constantFrom(undefined, 1, '\t'),
      (rows, declared, indent) => {
        const { content, droppedKeys } = drop(JSON.stringify(rows, undefined, indent), declared)
        const kept = rows.map((row) =>
          Object.fromEntries(Object.entries(row).filter(([name]) => declared.includes(name))),
        )
        // Through text once more, since -0 does not survive it.
        expect(JSON.parse(content)).toEqual(JSON.parse(JSON.stringify(kept)))
        const missing = new Set(
          rows.flatMap((row) => Object.keys(row).filter((name) => !declared.includes(name))),
        )
        expect(new Set(droppedKeys)).toEqual(missing)
      },
    ),
  )
})

test('the first fifty names are listed, however many there are and however they are written', () => {
  const names = Array.from(
    { length: 500 },
    (_, index) => `${index % 2 === 0 ? '"' : 'é'}${(index * 7) % 500}`,
  )
  const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  for (const order of [names, sorted, sorted.toReversed(), [...names, ...names]]) {
    const rows = order.map((name) => `{${JSON.stringify(name)}:1}`)
    expect(drop(`[${rows.join()}]`, []).droppedKeys).toEqual(sorted.slice(0, 50))
  }
})
