import { expect, test } from 'vitest'
import { clientNetwork, widerNetwork } from './client-network.ts'

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:12ff:1:2:3:4', '2001:db8:1:1200::/56'],
  ['2001:db8::1', '2001:db8:0:0::/56'],
  ['2001:DB8:0:12ab::', '2001:db8:0:1200::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/56'],
  ['', 'unknown'],
  ['not an address', 'unknown'],
])('%s is of the network %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

test('two addresses of one household are one network, two households are two', () => {
  expect(clientNetwork('2001:db8:1:1201::1')).toBe(clientNetwork('2001:db8:1:12fe::9'))
  expect(clientNetwork('2001:db8:1:1201::1')).not.toBe(clientNetwork('2001:db8:1:1301::1'))
})

test.each([
  ['192.0.2.7', '192.0.0.0/16'],
  ['::ffff:192.0.2.7', '192.0.0.0/16'],
  ['2001:db8:12:3456::1', '2001:db8::/32'],
  ['::1', '0:0::/32'],
  ['/run/numera.sock', 'unknown'],
])('%s is of the wider network %s', (address, network) => {
  expect(widerNetwork(address)).toBe(network)
})
