import { isIPv4, isIPv6 } from 'node:net'
import { mappedIpv4 } from './client-address.ts'

/** The groups of one side of `::`, where the last may be written as IPv4. */
function readGroups(part: string): number[] {
  return part === ''
    ? []
    : part.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return [(a << 8) | b, (c << 8) | d]
      })
}

/** The eight groups of an IPv6 address. */
function toGroups(address: string): number[] {
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const before = readGroups(head)
  if (tail === undefined) return before
  const after = readGroups(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/**
 * The network a client is counted under: /24 of IPv4, /56 of IPv6 [demo.deployment], as text such as
 * `192.0.2.0/24` or `2001:db8:0:1200::/56`. Anything else (a Unix socket) is one network, `unknown`.
 */
export function clientNetwork(address: string): string {
  const v4 = mappedIpv4.exec(address)?.[1] ?? address
  if (isIPv4(v4)) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`
  if (!isIPv6(address)) return 'unknown'
  const groups = toGroups(address).slice(0, 4)
  groups[3]! &= 0xff00
  return `${groups.map((group) => group.toString(16)).join(':')}::/56`
}

/**
 * The wider network of a client, of which one provider or customer may have many of the above: /16 of IPv4, /32 of IPv6. For
 * what a whole deployment has a limited number of, so that no such network can use up all of it.
 */
export function widerNetwork(address: string): string {
  const network = clientNetwork(address)
  if (network === 'unknown') return network
  const isV4 = network.endsWith('/24')
  const mark = isV4 ? '.' : ':'
  return `${network.split(mark, 2).join(mark)}${isV4 ? '.0.0/16' : '::/32'}`
}
