import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureGrowth } from '../../../testing/cases/growth.ts'
import { ByteDictionary, hashBytes } from './byte-dictionary.ts'

const getId = (dictionary: ByteDictionary, text: string, hash?: number) => {
  const bytes = Buffer.from(`<${text}>`)
  return dictionary.getId(bytes, 1, bytes.length - 1, hash ?? hashBytes(bytes, 1, bytes.length - 1))
}

test('Every byte string has its own number, in the order of first use', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 500 }), (texts) => {
      const dictionary = new ByteDictionary(Buffer.from('secret'))
      const known = new Map<string, number>()
      for (const text of texts) {
        if (!known.has(text)) known.set(text, known.size)
        expect(getId(dictionary, text)).toBe(known.get(text))
      }
      for (const [text, id] of known) expect(dictionary.text(id)).toBe(text)
    }),
  )
})

test('Byte strings that collide are distinguished in time in proportion to their number', () => {
  const texts = Array.from({ length: 3_000 }, (_, k) => Buffer.from(String(k)))
  const growth = measureGrowth(texts.length, (count) => () => {
    const dictionary = new ByteDictionary(Buffer.from('secret'))
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < count; k++) {
        if (dictionary.getId(texts[k]!, 0, texts[k]!.length, 7) !== k) throw new Error(String(k))
      }
    }
    expect(dictionary.size).toBe(count)
    expect(dictionary.text(count - 1)).toBe(String(count - 1))
  })
  expect(growth).toBeLessThan(3)
})
