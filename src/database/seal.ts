/**
 * Values that the database must hold and a copy of the database must not show: AES-256-GCM (NIST SP 800-38D) under a
 * key derived from the deployment's master key. A sealed value is one version byte, 12 bytes of nonce, 16 bytes of
 * tag, then the ciphertext.
 */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { deriveKey } from './derive-key.ts'

const version = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

/** Kept by the master key's own array: a webhook delivery unseals a secret, and deriving is the dear part of that. */
const sealingKeys = new WeakMap<Uint8Array, KeyObject>()

const sealingKey = (masterKey: Uint8Array): KeyObject => {
  const known = sealingKeys.get(masterKey)
  if (known !== undefined) return known
  const key = createSecretKey(deriveKey(masterKey, 'sealed values v1'))
  sealingKeys.set(masterKey, key)
  return key
}

/**
 * Seals a value for one place.
 *
 * @param boundTo what the value belongs to, such as `signature:<id>`: it opens only with the same text, so that a
 *   sealed value that is moved to another row does not open there
 */
export const seal = (masterKey: Uint8Array, plaintext: string | Uint8Array, boundTo: string): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(masterKey), nonce)
  cipher.setAAD(Buffer.from(boundTo))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext])
}

/** Opens what `seal` made. Throws where the key, the place or a single bit is another. */
export const unseal = (masterKey: Uint8Array, sealed: Uint8Array, boundTo: string): Buffer => {
  if (sealed.length < headBytes || sealed[0] !== version)
    throw new Error('not a sealed value of this version')
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(masterKey), nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headBytes))
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()])
}
