import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteDictionary, hashBytes } from './byte-dictionary.ts'
import { PairTable } from './pair-table.ts'

const idOf = (dictionary: ByteDictionary, text: string, hash?: number) => {
  const bytes = Buffer.from(`<${text}>`)
  return dictionary.idOf(bytes, 1, bytes.length - 1, hash ?? hashBytes(bytes, 1, bytes.length - 1))
}

test('Every byte string has its own number, in the order of coming', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 500 }), (texts) => {
      const dictionary = new ByteDictionary()
      const known = new Map<string, number>()
      for (const text of texts) {
        if (!known.has(text)) known.set(text, known.size)
        expect(idOf(dictionary, text)).toBe(known.get(text))
      }
      for (const [text, id] of known) expect(dictionary.text(id)).toBe(text)
    }),
  )
})

test('Byte strings that collide are told apart, quickly', () => {
  const dictionary = new ByteDictionary()
  const started = performance.now()
  for (let round = 0; round < 2; round++) {
    for (let k = 0; k < 50_000; k++) if (idOf(dictionary, String(k), 7) !== k) throw new Error(String(k))
  }
  expect(performance.now() - started).toBeLessThan(3000)
  expect(dictionary.size).toBe(50_000)
  expect(dictionary.text(49_999)).toBe('49999')
})

test('Every pair has its own number, in the order of coming, also where pairs collide', () => {
  const table = new PairTable()
  const known = new Map<string, number>()
  for (let round = 0; round < 2; round++) {
    for (let k = 0; k < 30_000; k++) {
      // Multiples of a power of two collide in the low bits, which choose the place.
      const [first, second] = k % 2 === 0 ? [k, k % 7] : [0, (k << 16) | 0]
      const name = `${first},${second}`
      if (!known.has(name)) known.set(name, known.size)
      const id = table.idOf(first!, second!)
      if (id !== known.get(name)) throw new Error(`${name} has ${id}`)
      expect([table.firsts[id], table.seconds[id]].join()).toBe(name)
    }
  }
  expect(table.size).toBe(known.size)
})
