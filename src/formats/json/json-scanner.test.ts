import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureGrowth } from '../../../testing/cases/growth.ts'
import { checkJson } from './check-json.ts'
import { JsonError } from './json-error.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'

const check = (text: string) => checkJson(Buffer.from(text))
const toFault = (text: string) => {
  try {
    check(text)
    return undefined
  } catch (error) {
    if (error instanceof JsonError) return [error.fault, error.offset]
    throw error
  }
}

describe('the JSON scanner', () => {
  test('accepts what RFC 8259 allows', () => {
    for (const text of [
      '{}',
      '[]',
      '""',
      '0',
      '-0',
      '-1.5e+10',
      '1E400',
      'true',
      'false',
      'null',
      ' [ ] ',
      '\t{\r\n}\n',
      '[1,2,[3,{"a":[]}],"x"]',
      '{"a":1,"b":{"a":1}}',
      '"\\u00e5\\/\\b\\f\\n\\r\\t\\"\\\\"',
      '"å€😀"',
      '{"":0}',
      '{"__proto__":1,"constructor":2}',
      '[{"a":1},{"a":1}]',
    ]) {
      expect(toFault(text), text).toBeUndefined()
    }
  })

  test('refuses what RFC 8259 does not allow, and reports the byte', () => {
    expect(toFault('')).toEqual(['syntax', 0])
    expect(toFault('{"a":1,}')).toEqual(['syntax', 7])
    expect(toFault('[1,]')).toEqual(['syntax', 3])
    expect(toFault('[1 2]')).toEqual(['syntax', 3])
    expect(toFault('{} x')).toEqual(['syntax', 3])
    for (const text of [
      '{',
      '[',
      '"',
      '"a',
      '{"a"}',
      '{"a":}',
      '{a:1}',
      '{,}',
      '[,]',
      '01',
      '+1',
      '1.',
      '.5',
      '1e',
      '-',
      '1e+',
      'tru',
      'nul',
      'True',
      'NaN',
      '"\n"',
      '"\\x"',
      '"\\u12g4"',
      '"\\u12',
      '"\\',
      '}',
      ']',
      '[}',
      '{]',
      '{"a":1]',
      '[1}',
      '{} {}',
      '\ufeff{}',
      '{"a" 1}',
      "{'a':1}",
      '[1,,2]',
      '{"a":1,,"b":2}',
      '/**/1',
      '\u00a01',
    ]) {
      expect(toFault(text)?.[0], text).toBe('syntax')
    }
  })

  test('finds a key that is there twice, however it is written and however many there are', () => {
    expect(toFault('{"a":1,"a":2}')).toEqual(['duplicate_key', 7])
    expect(toFault('{"a":1,"\\u0061":2}')).toEqual(['duplicate_key', 7])
    expect(toFault('{"\\u0061":1,"a":2}')?.[0]).toBe('duplicate_key')
    expect(toFault('{"å":1,"\\u00e5":2}')?.[0]).toBe('duplicate_key')
    expect(toFault('[{"b":{"x":1,"y":2,"x":3}}]')?.[0]).toBe('duplicate_key')
    const keys = Array.from({ length: 10_000 }, (_, k) => `"${k}":0`)
    expect(toFault(`{${keys.join()}}`)).toBeUndefined()
    expect(toFault(`{${keys.join()},"7":0}`)?.[0]).toBe('duplicate_key')
    expect(toFault(`{"b":{${keys.join()}},"c":{${keys.join()}},"d":{"7":1,"\\u0037":1}}`)?.[0]).toBe(
      'duplicate_key',
    )
  })

  test('accepts 64 levels and no more, without recursion', () => {
    expect(toFault('['.repeat(64) + ']'.repeat(64))).toBeUndefined()
    expect(toFault('{"a":'.repeat(64) + '1' + '}'.repeat(64))).toBeUndefined()
    expect(toFault('['.repeat(65) + ']'.repeat(65))).toEqual(['too_deep', 64])
    expect(toFault('['.repeat(1_000_000))).toEqual(['too_deep', 64])
  })

  test('refuses NUL and lone surrogates in a key and points to the first in a value', () => {
    expect(toFault('{"\\u0000":1}')).toEqual(['key_text', 1])
    expect(toFault('{"a":{"\\ud800":1}}')?.[0]).toBe('key_text')
    expect(toFault('{"\\udc00\\ud800":1}')?.[0]).toBe('key_text')
    expect(toFault('{"\\ud83d\\ude00":1}')).toBeUndefined()
    expect(check('["a","\\u0000"]').oddTextAt).toBe(5)
    expect(check('["\\ud83d"]').oddTextAt).toBe(1)
    expect(check('["\\ud83dx\\ude00"]').oddTextAt).toBe(1)
    expect(check('["\\ud83d\\ude00"]').oddTextAt).toBe(-1)
  })

  test('agrees with JSON.parse on any text near JSON', () => {
    const json = fc.json({ maxDepth: 4 })
    const broken = fc
      .tuple(json, fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '\\', '0', 'e', '.', ' ', ':'))
      .map(
        ([text, at, put]) =>
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
      )
    fc.assert(
      fc.property(fc.oneof(json, broken), (text) => {
        let parses = true
        try {
          JSON.parse(text)
        } catch {
          parses = false
        }
        const fault = toFault(text)?.[0]
        // A refused key is reported with its position; what follows it is not read.
        if (fault === 'duplicate_key' || fault === 'key_text') return
        expect(fault === undefined).toBe(parses)
      }),
      { numRuns: madeUpCases(1000) },
    )
  })

  test('needs time in proportion to the bytes for hostile texts', () => {
    for (const [count, textOf] of [
      [2_000, (count: number) => `{${Array.from({ length: count }, (_, k) => `"${k}":0`).join()}}`],
      [500_000, (count: number) => '1'.repeat(count)],
      [20_000, (count: number) => `[${'{},'.repeat(count)}{}]`],
      [20_000, (count: number) => `["${'\\u0041'.repeat(count)}"]`],
    ] as const) {
      const growth = measureGrowth(count, (size) => {
        const bytes = Buffer.from(textOf(size))
        return () => checkJson(bytes)
      })
      expect(growth).toBeLessThan(3)
    }
  })
})
