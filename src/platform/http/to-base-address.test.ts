import { expect, test } from 'vitest'
import { getBaseAddress } from './to-base-address.ts'

test.each([
  ['http://localhost:8080', '127.0.0.1:8080', '/docs?q=1', 'http://localhost:8080/docs?q=1'],
  ['http://localhost:8080', '[::1]:8080', '/docs/api', 'http://localhost:8080/docs/api'],
  ['http://127.0.0.1:8080', 'localhost:8080', '/docs', 'http://127.0.0.1:8080/docs'],
  // It stays on the origin.
  [
    'http://localhost:8080',
    '127.0.0.1:8080',
    '//evil.example/docs',
    'http://localhost:8080//evil.example/docs',
  ],
])('with the base address %s, who comes to %s%s is led to %s', (base, host, path, address) => {
  expect(getBaseAddress(base, host, path)).toBe(address)
})

test.each([
  ['http://localhost:8080', 'localhost:8080'],
  ['http://localhost:8080', 'LOCALHOST:8080'],
  // Another program, or a tunnel, whose port is not the service's.
  ['http://localhost:8080', '127.0.0.1:9090'],
  // A name that others reach.
  ['http://localhost:8080', '192.0.2.7:8080'],
  ['http://localhost:8080', 'numera.example:8080'],
  // A proxy that calls it by an inner name.
  ['https://numera.example', '127.0.0.1:8080'],
  ['https://numera.example', 'localhost'],
  ['http://localhost:8080', ''],
  ['http://localhost:8080', 'a b'],
])('with the base address %s, who comes to %s is led nowhere', (base, host) => {
  expect(getBaseAddress(base, host, '/docs')).toBe(undefined)
})
