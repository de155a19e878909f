import { BlockList, isIP } from 'node:net'
import { clientAddress } from '../../http/client-address.ts'
import type { Completion } from './completion.ts'

/** IPv4 that no device has on the internet (RFC 6890, RFC 6598, RFC 2544, RFC 5771, RFC 1112). */
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

function isPublic(address: string): boolean {
  return isIP(address) === 4 ? !notPublicIpv4.check(address) : publicIpv6.check(address, 'ipv6')
}

/** Equal addresses of IPv4; of IPv6 one /64, in which devices change their addresses as they like (RFC 8981). */
function isSameNetwork(one: string, other: string): boolean {
  if (isIP(one) !== 6 || isIP(other) !== 6) return isIP(one) === 4 && one === other
  const network = new BlockList()
  network.addSubnet(one, 64, 'ipv6')
  return network.check(other, 'ipv6')
}

/**
 * Whether an order was answered on the device that it was begun on, for all that addresses can tell: the app has the network
 * that the order came from. Where the two cannot be compared, since one is of IPv4 and the other of IPv6 or the order's is no
 * public one, BankID must take the risk to be low. Whoever was sent the order's autostart token by somebody else answers from
 * another network.
 *
 * @param endUserIp what BankID was told
 */
export function isAnsweredHere(endUserIp: string, { device, risk }: Completion): boolean {
  const begun = clientAddress(endUserIp)
  const answered = clientAddress(device.ipAddress)
  if (isSameNetwork(begun, answered)) return true
  if (isIP(answered) === 0) return false
  const isComparable = isIP(begun) === isIP(answered) && isPublic(begun)
  return !isComparable && risk === 'low'
}
