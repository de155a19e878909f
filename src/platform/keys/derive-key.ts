import { hkdfSync } from 'node:crypto'

const keyBytes = 32

/**
 * A key for one purpose, derived from the deployment's master key (HKDF-SHA256, RFC 5869), so that no key serves
 * two purposes. The same master key and purpose give the same 32 bytes.
 */
export function deriveKey(masterKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `numera ${purpose}`, keyBytes))
}
