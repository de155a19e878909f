import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { TupleTable } from './row-key-table.ts'

const idOf = (table: TupleTable, tuple: readonly number[]): number => {
  table.tuple.set(tuple)
  return table.id()
}

test('Every tuple has its own number, in the order of coming, and is found by it', () => {
  const tuples = fc.integer({ min: 1, max: 6 }).chain((width) =>
    fc.array(
      fc.array(fc.oneof(fc.integer({ max: 2 }), fc.integer()), { minLength: width, maxLength: width }),
      {
        minLength: 1,
        maxLength: 200,
      },
    ),
  )
  fc.assert(
    fc.property(tuples, fc.integer(), (given, seed) => {
      const table = new TupleTable(given[0]!.length, seed)
      const known = new Map<string, number>()
      for (const tuple of [...given, ...given]) {
        const name = tuple.join()
        if (!known.has(name)) known.set(name, known.size)
        expect(idOf(table, tuple)).toBe(known.get(name))
      }
      expect(table.size).toBe(known.size)
      for (const [name, id] of known) {
        expect(given[0]!.map((_, place) => table.at(id, place)).join()).toBe(name)
      }
    }),
  )
})

test('Tuples in any regular pattern take little time', () => {
  const patterns: ((k: number) => [number, number])[] = [
    (k) => [k, 0],
    (k) => [0, k],
    (k) => [0, k << 12],
    (k) => [k, -k],
    (k) => [k & 1023, k >> 10],
    (k) => [Math.imul(k, 0x9e3779b1), 0],
  ]
  const started = performance.now()
  for (const pattern of patterns) {
    const table = new TupleTable(2, 12345)
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < 300_000; k++) idOf(table, pattern(k))
    }
    expect(table.size).toBe(300_000)
  }
  expect(performance.now() - started).toBeLessThan(3000)
})
