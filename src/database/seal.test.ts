import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveKey } from './derive-key.ts'
import { seal, unseal } from './seal.ts'

const key = randomBytes(32)

test('a sealed value opens in its place and is another one each time', () => {
  const one = seal(key, 'hemligt å', 'row:1')
  expect(unseal(key, one, 'row:1').toString()).toBe('hemligt å')
  expect(one.equals(seal(key, 'hemligt å', 'row:1'))).toBe(false)
  expect(one.includes('hemligt')).toBe(false)
})

test('another place, another key, a changed bit and a cut tag do not open', () => {
  const sealed = seal(key, 'hemligt', 'row:1')
  expect(() => unseal(key, sealed, 'row:2')).toThrow()
  expect(() => unseal(randomBytes(32), sealed, 'row:1')).toThrow()
  for (let i = 0; i < sealed.length; i += 1) {
    const changed = Buffer.from(sealed)
    changed[i]! ^= 1
    expect(() => unseal(key, changed, 'row:1'), `byte ${i}`).toThrow()
  }
  expect(() => unseal(key, sealed.subarray(0, 20), 'row:1')).toThrow()
})

test('an empty value can be sealed', () => {
  expect(unseal(key, seal(key, '', 'row:1'), 'row:1')).toHaveLength(0)
})

test('keys of two purposes have nothing in common', () => {
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'b'))).toBe(false)
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'a'))).toBe(true)
})
