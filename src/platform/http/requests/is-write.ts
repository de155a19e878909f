import type { Contract } from '../contract.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a method may change something (RFC 9110, 9.2.1: the others are safe). */
export function isWrite(method: string): boolean {
  return !safeMethods.has(method)
}

/** Whether a call uses up a token of the rate at which a signed-in member writes. */
export function isMemberWrite(
  { guard, metered }: Pick<Contract, 'guard' | 'metered'>,
  method: string,
): boolean {
  return guard === 'session' && isWrite(method) && metered !== false
}
