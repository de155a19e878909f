import { expect, test } from 'vitest'
import { preferredEncoding } from './preferred-encoding.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.001, gzip; q=1', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity', 'identity'],
  ['zstd, br;q=nonsense', 'identity'],
])('of %j, %s is sent', (header, encoding) => {
  expect(preferredEncoding(header)).toBe(encoding)
})
