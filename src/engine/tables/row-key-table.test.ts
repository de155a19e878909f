import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureGrowth } from '../../../testing/cases/growth.ts'
import { RowKeyTable } from './row-key-table.ts'

const getId = (table: RowKeyTable, key: readonly number[]): number => {
  table.key.set(key)
  return table.id()
}

test('Every key has its own number, in the order of first use, and is found by it', () => {
  const keys = fc.integer({ min: 1, max: 6 }).chain((width) =>
    fc.array(
      fc.array(fc.oneof(fc.integer({ max: 2 }), fc.integer()), { minLength: width, maxLength: width }),
      {
        minLength: 1,
        maxLength: 200,
      },
    ),
  )
  fc.assert(
    fc.property(keys, fc.integer(), (given, seed) => {
      const table = new RowKeyTable(given[0]!.length, seed)
      const known = new Map<string, number>()
      for (const key of [...given, ...given]) {
        const name = key.join()
        if (!known.has(name)) known.set(name, known.size)
        expect(getId(table, key)).toBe(known.get(name))
      }
      expect(table.size).toBe(known.size)
      for (const [name, id] of known) {
        expect(given[0]!.map((_, place) => table.at(id, place)).join()).toBe(name)
      }
    }),
  )
})

test('Row keys in any regular pattern take time in proportion to their number', () => {
  const patterns: ((key: Int32Array, k: number) => void)[] = [
    (key, k) => ((key[0] = k), (key[1] = 0)),
    (key, k) => ((key[0] = 0), (key[1] = k)),
    (key, k) => ((key[0] = 0), (key[1] = k << 12)),
    (key, k) => ((key[0] = k), (key[1] = -k)),
    (key, k) => ((key[0] = k & 1023), (key[1] = k >> 10)),
    (key, k) => ((key[0] = Math.imul(k, 0x9e3779b1)), (key[1] = 0)),
  ]
  for (const put of patterns) {
    const growth = measureGrowth(8_000, (count) => () => {
      const table = new RowKeyTable(2, 12345)
      for (let round = 0; round < 2; round++) {
        for (let k = 0; k < count; k++) {
          put(table.key, k)
          table.id()
        }
      }
      expect(table.size).toBe(count)
    })
    expect(growth, String(put)).toBeLessThan(3)
  }
})
