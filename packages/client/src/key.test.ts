import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyFor, type KeyPart } from './key.ts'

test('Among half a billion pairs of different key parts, no two share a key', () => {
  // What the escape itself is written with, so that a wrong escape would collide soon.
  const letters = ['_', '5', 'F', ':', '3', 'A', 'ö', 'C', '-', '%', '😀']
  // Looks random, and is the same in every run (xorshift).
  let state = 2026
  const draw = (max: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % max
  }
  const drawPart = (): string => {
    let part = letters[draw(letters.length)]!
    for (let more = draw(3); more > 0; more--) part += letters[draw(letters.length)]!
    return part
  }
  const parts = new Map<string, string>()
  for (let list = 0; list < 60_000; list++) {
    const [one, other] = [drawPart(), drawPart()]
    const key = keyFor(one, other)
    const text = `${one}\0${other}`
    const found = parts.get(key)
    if (found === undefined) parts.set(key, text)
    else if (found !== text) expect.fail(`${JSON.stringify([found, text])} share ${key}`)
  }
  expect(parts.size ** 2 / 2).toBeGreaterThan(500_000_000)
})

test('Different parts, in any number and of any characters, have different keys, which are delivery ids too', () => {
  const part = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }), fc.maxSafeInteger())
  const parts = fc.array(part, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      fc.pre(one[0] !== 'service' && other[0] !== 'service')
      const [a, b] = [one, other].map((each) => keyFor(...(each as [KeyPart])))
      expect(a === b).toBe(JSON.stringify(one.map(String)) === JSON.stringify(other.map(String)))
      expect(a).toMatch(/^[A-Za-z0-9:_-]{1,200}$/)
    }),
  )
})
