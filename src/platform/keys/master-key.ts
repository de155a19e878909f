import { createSecretKey, type KeyObject } from 'node:crypto'
import { deriveKey } from './derive-key.ts'

export const masterKeyBytes = 32
export const fingerprintBytes = 8

/** What is derived from a master key, once. Printing it never shows the key. */
export interface MasterKey {
  /** Eight bytes that identify a key and reveal nothing else of it. */
  readonly fingerprint: Buffer
  readonly sealingKey: KeyObject
}

/** What a deployment seals under, and what else it opens with. */
export interface MasterKeys {
  /** New values are sealed under it. */
  readonly current: MasterKey
  /** Opens what is sealed under it, while the deployment's key is changed. */
  readonly previous?: MasterKey | undefined
}

/** @param bytes 32 of them */
export function toMasterKey(bytes: Uint8Array): MasterKey {
  return {
    fingerprint: deriveKey(bytes, 'fingerprint v1').subarray(0, fingerprintBytes),
    sealingKey: createSecretKey(deriveKey(bytes, 'sealed values v2')),
  }
}
