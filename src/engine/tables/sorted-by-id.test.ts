import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedById } from './sorted-by-id.ts'

const check = (ids: Buffer[]): void => {
  const places = Uint32Array.from(ids.keys())
  const sorted = [...sortedById(Buffer.concat(ids), places)]
  const expected = [...ids.keys()].toSorted((a, b) => Buffer.compare(ids[a]!, ids[b]!) || a - b)
  expect(sorted.toSorted((a, b) => a - b)).toEqual([...places])
  expect(sorted.map((place) => ids[place]!.toString('hex'))).toEqual(
    expected.map((place) => ids[place]!.toString('hex')),
  )
}

test('Ids are in the order of their bytes, even if some are equal or differ only at the end', () => {
  const id = fc.oneof(
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
    fc.integer({ min: 0, max: 255 }).map((last) => new Uint8Array(16).fill(last, 15)),
  )
  fc.assert(
    fc.property(fc.array(id, { maxLength: 200 }), (ids) => check(ids.map((bytes) => Buffer.from(bytes)))),
  )
})

test('Only the requested places are returned', () => {
  const ids = Buffer.concat([3, 1, 2, 0].map((first) => Buffer.alloc(16, first)))
  expect([...sortedById(ids, Uint32Array.of(0, 2, 3))]).toEqual([3, 2, 0])
})

test('Ids that begin alike are sorted too', () => {
  const ids = Buffer.concat(
    Array.from({ length: 1_000 }, (_, k) => createHash('sha256').update(String(k)).digest().subarray(0, 16)),
  )
  const places = Uint32Array.from({ length: 1_000 }, (_, place) => place)
  for (const place of places) ids.fill(7, place * 16, place * 16 + 12)
  const sorted = sortedById(ids, places)
  for (let k = 1; k < sorted.length; k++) {
    const [a, b] = [sorted[k - 1]! * 16, sorted[k]! * 16]
    if (ids.compare(ids, b, b + 16, a, a + 16) > 0) throw new Error(`${k} is before its turn`)
  }
})
