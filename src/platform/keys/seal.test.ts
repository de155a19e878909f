import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { deriveKey } from './derive-key.ts'
import { toMasterKey } from './master-key.ts'
import { seal, unseal } from './seal.ts'

const key = { current: toMasterKey(randomBytes(32)) }

test('a sealed value opens in its place and is different each time', () => {
  const one = seal(key, 'hemligt å', 'row:1')
  expect(unseal(key, one, 'row:1').toString()).toBe('hemligt å')
  expect(one.equals(seal(key, 'hemligt å', 'row:1'))).toBe(false)
  expect(one.includes('hemligt')).toBe(false)
})

test('another place, another key, a changed bit and a cut tag do not open', () => {
  const sealed = seal(key, 'hemligt', 'row:1')
  expect(() => unseal(key, sealed, 'row:2')).toThrow()
  expect(() => unseal({ current: toMasterKey(randomBytes(32)) }, sealed, 'row:1')).toThrow()
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
  const key = randomBytes(32)
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'b'))).toBe(false)
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'a'))).toBe(true)
})

test('while the master key is changed, what either key sealed opens, and new values are sealed under the new one', () => {
  const [older, newer] = [toMasterKey(randomBytes(32)), toMasterKey(randomBytes(32))]
  const both = { current: newer, previous: older }
  expect(unseal(both, seal({ current: older }, 'before', 'row:1'), 'row:1').toString()).toBe('before')
  const after = seal(both, 'after', 'row:1')
  expect(unseal({ current: newer }, after, 'row:1').toString()).toBe('after')
  expect(() => unseal({ current: older }, after, 'row:1')).toThrow(
    `sealed under another master key: ${newer.fingerprint.toString('hex')}`,
  )
})

test('a master key is not printed in any way', () => {
  const bytes = randomBytes(32)
  const printed = inspect(toMasterKey(bytes), { depth: 9 }) + JSON.stringify(toMasterKey(bytes))
  expect(printed).not.toContain(bytes.toString('hex'))
  expect(printed).not.toContain(deriveKey(bytes, 'sealed values v2').toString('hex'))
})
