import { expect, test } from 'vitest'
import { ArrayCursor } from './array-cursor.ts'
import { jsonText } from './json-text.ts'
import { ObjectCursor } from './object-cursor.ts'
import { skipValue } from './skip-value.ts'

const text = ' [ {"a" : "x\\"y", "å\\u0041":[1,{"b":"]}"}]} ,{}, 12 , "s", null ] '
const bytes = Buffer.from(text)
const slice = (start: number, end: number) => bytes.toString('utf8', start, end)

test('Cursors return the ranges of items and members as written', () => {
  const items = new ArrayCursor(bytes)
  const members = new ObjectCursor(bytes)
  const seen: unknown[] = []
  items.open(1)
  while (items.next()) {
    if (bytes[items.itemStart] !== 0x7b) {
      seen.push(slice(items.itemStart, items.itemEnd()))
      continue
    }
    const row: unknown[] = []
    members.open(items.itemStart)
    while (members.next()) {
      row.push([
        jsonText(bytes, members.keyStart, members.keyEnd),
        slice(members.valueStart, members.valueEnd),
      ])
    }
    items.leave(members.end)
    seen.push(row)
  }
  expect(seen).toEqual([
    [
      ['a', '"x\\"y"'],
      ['åA', '[1,{"b":"]}"}]'],
    ],
    [],
    '12',
    '"s"',
    'null',
  ])
  expect(items.count).toBe(5)
  expect(slice(items.end, bytes.length)).toBe(' ')
  expect(skipValue(bytes, 1)).toBe(bytes.length - 1)
})
