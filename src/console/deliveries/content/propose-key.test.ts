import { expect, test } from 'vitest'
import { isUniqueKey, proposeKey } from './propose-key.ts'

/** Columns of a side from its rows. */
const side = (...rows: number[][]) =>
  rows[0]!.map((_value, field) => Int32Array.from(rows, (row) => row[field]!))

test('a single field that is unique in both sides is preferred, the first of several', () => {
  const sides = [side([1, 1, 1], [1, 2, 2]), side([1, 3, 1], [1, 4, 2])]
  expect(proposeKey(sides, [0, 2, 1], 7)).toEqual({ fields: [2], isUnique: true })
})

test('a field that repeats in one side needs another', () => {
  const sides = [side([1, 1, 9], [2, 2, 9]), side([1, 1, 9], [1, 2, 9], [2, 2, 9])]
  expect(proposeKey(sides, [0, 1, 2], 7)).toEqual({ fields: [0, 1], isUnique: true })
})

test('where whole rows repeat, the smallest set that repeats latest is proposed', () => {
  const repeated = side([1, 1, 5], [1, 2, 6], [2, 2, 5], [2, 2, 5])
  expect(proposeKey([repeated], [0, 1, 2], 7)).toEqual({ fields: [0, 1], isUnique: false })
})

test('a field that is the same in all rows is no part of a key', () => {
  expect(proposeKey([side([5, 1], [5, 2])], [0, 1], 7)).toEqual({ fields: [1], isUnique: true })
  expect(isUniqueKey([side([5, 1], [5, 2])], [0], 7)).toBe(false)
})
