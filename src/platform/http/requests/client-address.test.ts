import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

test('every way of writing an address is the same client', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:192.0.2.7', '::ffff:c000:207']) {
    expect(clientAddress(address)).toBe('192.0.2.7')
  }
  for (const address of ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8::0001', '2001:db8::1%eth0']) {
    expect(clientAddress(address)).toBe('2001:db8::1')
  }
})

test('everything that is not an address is one client', () => {
  for (const address of ['', 'unix', '192.0.2.7:1234', '999.0.2.7']) {
    expect(clientAddress(address)).toBe('unknown')
  }
})
