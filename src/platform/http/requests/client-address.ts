import { isIP, isIPv6, SocketAddress } from 'node:net'

/** How a socket that listens on both IPv4 and IPv6 shows an IPv4 client. */
export const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The address a client is counted under, in its one canonical form, as text. Anything else (a Unix socket) is one
 * client, `unknown`.
 */
export function clientAddress(address: string): string {
  const canonical = isIPv6(address)
    ? new SocketAddress({ family: 'ipv6', address: address.split('%', 1)[0]! }).address
    : address
  const text = mappedIpv4.exec(canonical)?.[1] ?? canonical
  return isIP(text) === 0 ? 'unknown' : text
}
