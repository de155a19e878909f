import { BlockList, isIP } from 'node:net'
import { clientAddress } from '../../../platform/http/requests/client-address.ts'

/** IPv4 addresses that are not public (RFC 6890, RFC 6598, RFC 2544, RFC 5771, RFC 1112). */
const notPublicIpv4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  notPublicIpv4.addSubnet(network, bits, 'ipv4')
}

/** Global unicast (RFC 4291, section 2.4). */
const publicIpv6 = new BlockList()
publicIpv6.addSubnet('2000::', 3, 'ipv6')

/** Whether BankID can see a device by this address too. */
export function isPublicAddress(address: string): boolean {
  const canonical = clientAddress(address)
  if (isIP(canonical) === 4) return !notPublicIpv4.check(canonical)
  return isIP(canonical) === 6 && publicIpv6.check(canonical, 'ipv6')
}

/**
 * Whether an order was answered on the device on which it began, as far as addresses tell: the app is on the order's network. That
 * is the same IPv4 address, or one /64 of IPv6, in which devices change their addresses freely (RFC 8981). An IPv4 and an IPv6
 * address tell nothing, and count as another device: a victim who was sent the link of an attacker's order answers from
 * another network.
 *
 * @param endUserIp what was sent to BankID
 * @param appAddress of the app, from BankID
 */
export function isAnsweredHere(endUserIp: string, appAddress: string): boolean {
  const begun = clientAddress(endUserIp)
  const answered = clientAddress(appAddress)
  if (isIP(begun) !== 6 || isIP(answered) !== 6) return isIP(begun) === 4 && begun === answered
  const network = new BlockList()
  network.addSubnet(begun, 64, 'ipv6')
  return network.check(answered, 'ipv6')
}
