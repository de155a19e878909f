import { createHmac } from 'node:crypto'
import type { DeploymentKeys } from '../keys/deployment-keys.ts'

/**
 * What a member is found by: HMAC-SHA256 of the twelve digits under a key of the deployment. The number itself
 * is not stored; without the key, trying all numbers of a century finds nothing.
 */
export function personalNumberMac(
  keys: Pick<DeploymentKeys, 'personalNumbers'>,
  twelveDigits: string,
): Buffer {
  return createHmac('sha256', keys.personalNumbers).update(twelveDigits).digest()
}
