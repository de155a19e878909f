import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashSecret, newSecret } from './secrets.ts'

test('a secret is its prefix and 43 letters and digits', () => {
  for (let count = 0; count < 200; count++) expect(newSecret('nsk_')).toMatch(/^nsk_[0-9A-Za-z]{43}$/)
})

test('no two secrets are the same, and every letter and digit is used', () => {
  const secrets = Array.from({ length: 500 }, () => newSecret('nat_'))
  expect(new Set(secrets).size).toBe(500)
  expect(new Set(secrets.flatMap((secret) => Array.from(secret.slice(4)))).size).toBe(62)
})

test('what is stored is the SHA-256', () => {
  expect(hashSecret('nsk_abc')).toEqual(createHash('sha256').update('nsk_abc').digest())
})
