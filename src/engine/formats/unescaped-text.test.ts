import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { UnescapedText } from './unescaped-text.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'
import { anyText } from '../../../testing/cases/any-text.ts'

const unescaped = new UnescapedText(40)
const read = (json: string) => {
  const end = unescaped.read(Buffer.from(json), 1)
  return end < 0 ? undefined : Buffer.from(unescaped.bytes.subarray(0, unescaped.length)).toString()
}
const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

test('Escapes decode as JSON.parse decodes them', () => {
  expect(read('"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E5\\u20ac\\ud83d\\ude00å€😀"')).toBe('a"\\/\b\f\n\r\tå€😀å€😀')
  fc.assert(
    fc.property(anyText(8), fc.boolean(), (text, all) => {
      const json = all ? `"${text.split('').map(escape).join('')}"` : JSON.stringify(text)
      expect(read(json)).toBe(text.includes('\0') ? undefined : text)
    }),
    { numRuns: madeUpCases(300) },
  )
})

test('What is broken, cannot be stored or is too long is not decoded', () => {
  for (const json of [
    '"',
    '"a',
    '"\\',
    '"\\"',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\u0000"',
    '"\\ud83d"',
    '"\\ude00"',
    '"\\ud83d\\u0041"',
    '"\\ud83dx"',
    '"\n"',
    `"${'x'.repeat(41)}"`,
    `"${'x'.repeat(39)}\\u00e5"`,
  ]) {
    expect(read(json), json).toBeUndefined()
  }
  expect(read(`"${'x'.repeat(38)}\\u00e5"`)).toHaveLength(39)
})
