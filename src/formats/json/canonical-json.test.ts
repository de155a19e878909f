import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureGrowth } from '../../../testing/cases/growth.ts'
import { canonicalJson } from './canonical-json.ts'
import { checkJson } from './check-json.ts'
import { JsonError } from './json-error.ts'

const canonical = (text: string) => canonicalJson(Buffer.from(text)).toString()

const hex = (unit: number) => unit.toString(16).padStart(4, '0')

/** Writes a value with keys in a drawn order, white space and needless escapes. */
function written(value: unknown, draw: () => number): string {
  const space = () => ' \t\n\r'.slice(0, draw() % 5)
  const string = (text: string) =>
    `"${[...text]
      .map((character) => {
        const units = Array.from({ length: character.length }, (_, k) => character.charCodeAt(k))
        if (draw() % 3 > 0) return JSON.stringify(character).slice(1, -1)
        return units.map((unit) => `\\u${draw() % 2 ? hex(unit) : hex(unit).toUpperCase()}`).join('')
      })
      .join('')}"`
  if (typeof value === 'string') return space() + string(value) + space()
  if (Array.isArray(value)) return `[${value.map((item) => written(item, draw)).join() || space()}]`
  if (value === null || typeof value !== 'object') return space() + JSON.stringify(value) + space()
  const members = Object.entries(value).map(([key, item]) => [draw(), key, item] as const)
  members.sort((a, b) => a[0] - b[0])
  return `{${members.map(([, key, item]) => `${space()}${string(key)}${space()}:${written(item, draw)}`).join() || space()}}`
}

const toObject = (keys: string[]): string => `{${keys.map((key) => `${JSON.stringify(key)}:1`).join()}}`

test('One value has one canonical form', () => {
  expect(canonical(' { "b" : [ 1 , { "d":1.0,"c":null } ], "a":"\\u0061\\/" , "":true } ')).toBe(
    '{"":true,"a":"a/","b":[1,{"c":null,"d":1.0}]}',
  )
  expect(canonical('"\\u001F\\ud83d\\ude00\\uD83D\\u000a"')).toBe('"\\u001f😀\\ud83d\\n"')
  expect(canonical('[]')).toBe('[]')
  expect(canonical('[{},{},[[]]]')).toBe('[{},{},[[]]]')
})

test('Keys are sorted by code point, not by UTF-16 and not by their escapes', () => {
  expect(canonical('{"\ud83d\ude00":1,"\uffff":2,"a\\\\":3,"ab":4,"a\\n":5,"a":6,"a!":7}')).toBe(
    '{"a":6,"a\\n":5,"a!":7,"a\\\\":3,"ab":4,"\uffff":2,"\ud83d\ude00":1}',
  )
})

test('Escaped keys of any characters are in the order of their decoded text', () => {
  const units = [...Array.from({ length: 0x2f }, (_, unit) => unit + 1), 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xffff]
  const keys = units.flatMap((unit) => [`${String.fromCharCode(unit)}a`, `a${String.fromCharCode(unit)}"`])
  const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(canonical(toObject(keys.toReversed()))).toBe(toObject(sorted))
})

test('Numbers differ when their texts do', () => {
  expect(canonical('[1.0]')).not.toBe(canonical('[1]'))
  expect(canonical('[1e2]')).not.toBe(canonical('[1E2]'))
})

test('Two texts have the same form exactly when they are the same value', () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
  fc.assert(
    fc.property(value, fc.infiniteStream(fc.nat(99)), fc.infiniteStream(fc.nat(99)), (given, one, other) => {
      const a = written(given, () => one.next().value as number)
      const b = written(given, () => other.next().value as number)
      try {
        checkJson(Buffer.from(a))
      } catch (error) {
        if (error instanceof JsonError && error.fault === 'key_text') return
        throw error
      }
      checkJson(Buffer.from(b))
      expect(canonical(a)).toBe(canonical(b))
      expect(canonical(canonical(a))).toBe(canonical(a))
      expect(JSON.parse(canonical(a))).toEqual(JSON.parse(a))
    }),
    { numRuns: 250 },
  )
  fc.assert(
    fc.property(value, value, (a, b) => {
      // -0 and 0 are the same to JSON.stringify, and so is their text.
      const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
      expect(canonical(JSON.stringify(a)) === canonical(JSON.stringify(b))).toBe(same)
    }),
    { numRuns: 250 },
  )
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)]
  if (value === null || typeof value !== 'object') return value
  return [
    'object',
    ...Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  ]
}

test('Many members are ordered in the time of a sort', () => {
  const growth = measureGrowth(2_000, (count) => {
    const members = Array.from({ length: count }, (_, k) => `"${(k * 7919) % 100_003}":${k}`)
    const bytes = Buffer.from(`{${members.join()}}`)
    return () => expect(Object.keys(JSON.parse(canonicalJson(bytes).toString()))).toHaveLength(count)
  })
  expect(growth).toBeLessThan(3)
})
