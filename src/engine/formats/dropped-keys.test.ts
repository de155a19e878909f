import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DeclaredNames } from './declared-names.ts'
import { DroppedKeys, droppedKeyCodePointsMax, droppedKeysMax } from './dropped-keys.ts'
import { dropUndeclaredColumns } from './drop-undeclared-columns.ts'
import { dropUndeclared } from './drop-undeclared.ts'

const toKeys = (names: readonly string[]): string[] => {
  const dropped = new DroppedKeys()
  for (const name of names) dropped.addText(name)
  return dropped.list()
}
const cut = (name: string): string => [...name].slice(0, droppedKeyCodePointsMax).join('')

test('a dropped name is listed up to its two hundredth character, and names that are equal up to there once', () => {
  const long = 'x'.repeat(200)
  expect(toKeys([long, `${long}a`, `${long}b`, 'y'])).toEqual([long, 'y'])
  expect(toKeys([`${'å'.repeat(199)}\u{1f600}${'b'.repeat(1_000_000)}`])).toEqual([
    `${'å'.repeat(199)}\u{1f600}`,
  ])
})

test('the same for keys of JSON, with escapes too, and for columns of CSV', () => {
  const json = Buffer.from(`{"${'\\ud83d\\ude00'.repeat(300)}":1,"${'a'.repeat(201)}":1,"at":1}`)
  const declared = new DeclaredNames(['at'])
  expect(dropUndeclared(json, 0, json.length, declared, 'payload').droppedKeys).toEqual([
    'a'.repeat(200),
    '\u{1f600}'.repeat(200),
  ])
  const csv = Buffer.from(`at,${'\u{1f600}'.repeat(300)},"${'""'.repeat(300)}"\n`)
  expect(dropUndeclaredColumns(csv, declared).droppedKeys).toEqual(['"'.repeat(200), '\u{1f600}'.repeat(200)])
})

test('any names are cut between characters and listed once, in code point order, at most fifty', () => {
  const letter = fc.constantFrom('a', 'å', '\uff5e', '\u{1f600}')
  const name = fc
    .tuple(fc.integer({ min: 190, max: 210 }), letter, fc.array(letter, { maxLength: 3 }))
    .map(([count, most, rest]) => most.repeat(count) + rest.join(''))
  fc.assert(
    fc.property(fc.array(fc.oneof(name, fc.string({ unit: 'grapheme' })), { maxLength: 80 }), (names) => {
      const expected = [...new Set(names.map(cut))]
        .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
        .slice(0, droppedKeysMax)
      expect(toKeys(names)).toEqual(expected)
    }),
  )
})
