import { createHmac } from 'node:crypto'
import { deriveKey } from '../database/derive-key.ts'

/**
 * What a member is found by: HMAC-SHA256 of the twelve digits under a key of the deployment. The number itself
 * is not kept; without the key, trying all numbers of a century finds nothing.
 */
export const personalNumberMac = (masterKey: Uint8Array, twelveDigits: string): Buffer =>
  createHmac('sha256', deriveKey(masterKey, 'personal numbers v1')).update(twelveDigits).digest()
